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
