import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-app.ts'
import type { Problem } from '../../test/prospects.ts'

test('of a body full of mistakes a hundred are told and the others counted: its answer is not larger than itself', async () => {
  const t = await buildTestApp()
  const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 1]))
  const answer = await t.visitor().post<Problem>('/session', body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(answer.body.errors).toHaveLength(100)
  // The two properties that are missing, and those that nobody knows.
  expect(answer.body.detail).toMatch(/ 19,902 more are wrong\.$/)
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000)
})

test('of fewer every one is told', async () => {
  const t = await buildTestApp()
  const answer = await t.visitor().post<Problem>('/session', { a: 1, b: 2 })
  expect(answer.body.errors?.map(({ path }) => path).sort()).toEqual(['a', 'b', 'email', 'password'])
  expect(answer.body.detail).not.toContain('more')
})

test('a text that is too long is told in characters, a list in its entries, and a request as a whole in words for people', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const long = await operator.get<Problem>(`/businesses?tag=${'x'.repeat(51)}`)
  expect(long.body.errors?.map(({ message }) => message)).toEqual(['At most 50 characters.'])
  const tags = Array.from({ length: 21 }, (_, n) => `tag ${n}`)
  const many = await operator.post<Problem>('/businesses', { name: 'Many tags', tags })
  expect(many.body.errors?.map(({ message }) => message)).toEqual(['At most 20 of these.'])
  const lines = Array.from({ length: 1_000 }, (_, n) => `${'x'.repeat(290)}${n}@karoo.example`)
  const whole = await operator.post<Problem>('/suppressions/batch-previews', { lines })
  expect(whole).toMatchObject({
    status: 413,
    body: { detail: 'This is more than can be sent at once. Send less at a time.' },
  })
})
