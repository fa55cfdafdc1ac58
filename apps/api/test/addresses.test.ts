import { test } from 'vitest'
import { buildTestApp } from './build-app.ts'

/* Tests that responses to URLs without a route have the common headers and never repeat the URL. */

test('an unreadable address is 400, with a request id and without the address', async ({ expect }) => {
  const t = await buildTestApp()
  const { status, body, headers } = await t.visitor().get('/businesses/%E0%A4%A')
  expect([status, headers['x-request-id'], headers['cache-control']]).toEqual([400, expect.any(String), 'no-store'])
  expect(body).toMatchObject({ code: 'invalid_request' })
  expect(JSON.stringify(body)).not.toContain('%E0')
})

test('an identifier that is malformed or too long is the same 404 as a missing one', async ({ expect }) => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  for (const id of ['x', 'x'.repeat(200), 'x'.repeat(201), 'x'.repeat(5_000), "' OR 1=1 --"]) {
    const { status, body } = await viewer.get(`/businesses/${encodeURIComponent(id)}`)
    expect([id.length, status, body]).toEqual([id.length, 404, expect.objectContaining({ code: 'not_found' })])
  }
})

test('a route that does not exist is 404, signed in or not', async ({ expect }) => {
  const t = await buildTestApp()
  for (const client of [t.visitor(), await t.as('administrator')]) {
    const { status, body } = await client.get('/campaigns')
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'not_found' })])
  }
})
