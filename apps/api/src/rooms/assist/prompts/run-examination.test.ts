import { afterAll, expect, test } from 'vitest'
import { endExaminationThreads, examineAnswer, examineEvidence } from './run-examination.ts'

afterAll(endExaminationThreads)

const requests = { lane: 'requests', tenantId: 'home' } as const
const evidence = (observation: string, hash = 'h') => [
  { hash, field: null, value: null, observation, sourceLabel: null },
]
const sent = { receipt: 'r', input: '[]', items: [] }
const claims = [{ text: 'It repairs pumps.', citations: [{ item: 'E1', quotes: ['repairs pumps'] }] }]
const answer = { text: JSON.stringify({ receipt: 'r', claims }), finishReason: 'stop' }

test('an examination past its time is refused with what to do, and the next one is read by a new thread', async () => {
  const many = Array.from({ length: 400 }, (_, index) => evidence('Pumps and tanks. '.repeat(500), `h${index}`)).flat()
  await expect(examineEvidence(requests, many, 1)).rejects.toThrow(
    'The texts of this evidence take too long to examine. Choose fewer or shorter observations.',
  )
  const examined = await examineEvidence(requests, evidence('Call 082 765 4321'))
  expect(examined.get('h')).toMatchObject({ value: null, observation: { withheld: null }, isSuspected: false })
  expect(examined.get('h')?.observation?.text).not.toContain('4321')
})

test('an answer that cannot be examined in time is no answer', async () => {
  const long = { receipt: 'r', input: '', items: [{ item: 'E1', parts: ['Pumps '.repeat(5_000_000)] }] }
  expect(await examineAnswer('home', answer, long, 1)).toBeUndefined()
  expect(await examineAnswer('home', answer, sent)).toMatchObject({ kind: 'read', claims: [{ problem: null }] })
})

test('a tenant has at most 16 waiting requests, which do not delay answers', async () => {
  const asked = Array.from({ length: 17 }, () => examineEvidence(requests, evidence('Pumps')))
  await expect(examineEvidence(requests, evidence('Pumps'))).rejects.toMatchObject({
    code: 'too_many_waiting',
    details: { limit: 'waiting_examinations', size: 16, max: 16 },
  })
  const other = examineEvidence({ ...requests, tenantId: 'other' }, evidence('Pumps'))
  expect(await examineAnswer('home', answer, sent)).toMatchObject({ kind: 'read' })
  expect(await Promise.all([...asked, other])).toHaveLength(18)
})
