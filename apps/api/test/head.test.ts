import { expect, test } from 'vitest'
import type { Answer } from './build-app.ts'
import { furnishedApp } from './furnished.ts'
import { addressOf, operations } from './operations.ts'

/* Tests that HEAD is GET without the body: it has the same route and the same access check, so that neither reveals what the other rejects. */

/** Streams are excluded, because `event-stream.test.ts` covers them. */
const gets = operations.filter((one) => one.method === 'get' && one.case.isStream !== true)

test('every GET responds to HEAD with its own status and headers, for any person, and nothing changes', async () => {
  const { t, place, foreign } = await furnishedApp()
  const administrator = await t.as('administrator')
  const asking = { administrator, viewer: await t.as('viewer'), visitor: t.visitor() }
  expect(gets.length).toBeGreaterThan(40)
  const seen = new Set<number>()
  const addresses = ['/openapi.json', '/docs', '/nowhere', '/nowhere?limit=x']
  const changes = await t.changes(async () => {
    for (const get of gets)
      addresses.push(addressOf(get, place), addressOf(get, foreign), `${addressOf(get, place)}?limit=x`)
    for (const address of new Set(addresses)) {
      for (const [who, client] of Object.entries(asking)) {
        const [got, headed] = [await client.get(address), await client.head(address)]
        expect([who, address, told(headed), headed.body]).toEqual([who, address, told(got), null])
        seen.add(headed.status)
      }
    }
  })
  expect(changes).toEqual({})
  expect([...seen].sort()).toEqual([200, 400, 401, 403, 404, 409, 410])
})

test('a route without GET refuses HEAD too, and changes nothing', async () => {
  const { t, place } = await furnishedApp()
  const administrator = await t.as('administrator')
  const changes = await t.changes(async () => {
    for (const path of ['/session/mfa', `/businesses/${place.businessId}/do-not-contact`])
      expect(await administrator.head(path)).toMatchObject({ status: 404, body: null })
  })
  expect(changes).toEqual({})
})

test('a HEAD is logged as HEAD', async () => {
  const { t } = await furnishedApp()
  await t.visitor().head('/health/live')
  const line = t.logged().trim().split('\n').at(-1)
  expect(JSON.parse(line ?? '')).toMatchObject({ method: 'HEAD', route: '/api/v1/health/live', status: 200 })
})

/** Returns the response's headers for a comparison. Request id and time differ between requests, so only their presence is compared. */
function told({ status, headers }: Answer<unknown>): unknown {
  const { 'x-request-id': id, date, ...others } = headers
  return { status, headers: others, id: typeof id, date: Number.isNaN(Date.parse(String(date))) ? date : 'a time' }
}
