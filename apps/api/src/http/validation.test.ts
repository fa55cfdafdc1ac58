import { expect, test } from 'vitest'
import { z } from 'zod'
import { buildTestApp } from '../../test/build-app.ts'
import type { Problem } from '../../test/prospects.ts'
import { newId } from '../lib/ids.ts'
import { invalidRequest } from './validation.ts'

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
  expect(many.body.errors?.map(({ message }) => message)).toEqual(['At most 20 items; 21 were sent.'])
  const lines = Array.from({ length: 1_000 }, (_, n) => `${'x'.repeat(290)}${n}@karoo.example`)
  const whole = await operator.post<Problem>('/suppressions/batch-previews', { lines })
  expect(whole).toMatchObject({
    status: 413,
    body: {
      detail: expect.stringMatching(
        /^The body of this request has 3\d\d,\d{3} bytes; the limit is 262,144. Send less at a time.$/,
      ),
      limit: 'request_body',
      max: 262_144,
    },
  })
})

test('a list of ids that is too long is refused with its size and the maximum, also inside a choice', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const ids = (count: number) => Array.from({ length: count }, () => newId())
  const preview = { action: 'verify', selection: { ids: ids(2_001) } }
  const answers = [
    await operator.post<Problem>('/bulk-reviews/previews', preview),
    await operator.post<Problem>('/review-queue/next', { skip: ids(201) }),
  ]
  expect(answers.map(({ status, body }) => [status, body.errors])).toEqual([
    [400, [{ path: 'selection.ids', code: 'too_big', message: 'At most 2,000 items; 2,001 were sent.' }]],
    [400, [{ path: 'skip', code: 'too_big', message: 'At most 200 items; 201 were sent.' }]],
  ])
})

const choice = z.union([
  z.strictObject({ ids: z.array(z.string()).min(1) }),
  z.strictObject({ filter: z.array(z.string()), sort: z.string() }),
  z.strictObject({ bulkId: z.string() }),
])
const scalar = z.union([z.enum(['overdue', 'today']), z.string().regex(/^\d+$/, 'Enter a number of days.'), z.null()])
const kind = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('a') }),
  z.strictObject({ kind: z.literal('b') }),
])

test.each([
  [choice, { ids: [] }, ['ids: At least 1 items.']],
  [choice, { ids: 'x' }, ['ids: This must be a list.']],
  [choice, { filter: ['x'] }, ['sort: This field is required.']],
  [choice, { filter: ['x'], sort: 'name', ids: ['x'] }, ['ids: Unknown property.']],
  [choice, {}, ['Send ids or bulkId.']],
  [choice, { other: 1 }, ['other: Unknown property.', 'Send ids or bulkId.']],
  [choice, 'x', ['This must be an object.']],
  [z.object({ within: choice }), { within: { bulkId: 5 } }, ['within.bulkId: This must be text.']],
  [scalar, 'soon', ['Enter a number of days.']],
  [scalar, 5, ['Use overdue or today.']],
  [z.union([z.literal('me'), z.enum(['all', 'none'])]), 'you', ['Use me, all, or none.']],
  [z.union([z.string(), z.number()]).nullable(), {}, ['This must be text or a number.']],
  [kind, { kind: 'c' }, ['kind: Use a or b.']],
  [kind, {}, ['kind: Use a or b.']],
])('a value that fits no option of a choice is refused with what is wrong: %#', (schema, value, told) => {
  const { issues } = schema.safeParse(value).error ?? { issues: [] }
  const errors = invalidRequest(issues).details.errors ?? []
  expect(errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))).toEqual(told)
})
