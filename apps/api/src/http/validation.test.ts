import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-app.ts'
import type { Problem } from '../../test/prospects.ts'

test('a body full of errors gets a hundred of them and the number of the others: the response is no larger than the request', async () => {
  const t = await buildTestApp()
  const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 1]))
  const answer = await t.visitor().post<Problem>('/session', body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(answer.body.errors).toHaveLength(100)
  // Two properties are missing, and each unknown property is an error.
  expect(answer.body.detail).toMatch(/ 19,902 more errors\.$/)
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000)
})

test('with fewer errors all are reported', async () => {
  const t = await buildTestApp()
  const answer = await t.visitor().post<Problem>('/session', { a: 1, b: 2 })
  expect(answer.body.errors?.map(({ path }) => path).sort()).toEqual(['a', 'b', 'email', 'password'])
  expect(answer.body.detail).not.toContain('more')
})

test('a text that is too long is reported in characters, a list in entries, and a request as a whole in a sentence', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const long = await operator.get<Problem>(`/businesses?tag=${'x'.repeat(51)}`)
  expect(long.body.errors?.map(({ message }) => message)).toEqual(['At most 50 characters.'])
  const tags = Array.from({ length: 21 }, (_, n) => `tag ${n}`)
  const many = await operator.post<Problem>('/businesses', { name: 'Many tags', tags })
  expect(many.body.errors?.map(({ message }) => message)).toEqual(['At most 20 items.'])
  const lines = Array.from({ length: 1_000 }, (_, n) => `${'x'.repeat(290)}${n}@karoo.example`)
  const whole = await operator.post<Problem>('/suppressions/batch-previews', { lines })
  expect(whole).toMatchObject({
    status: 413,
    body: { detail: 'The request is too large. Send less at a time.' },
  })
})
