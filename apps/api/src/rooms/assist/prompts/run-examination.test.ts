import { afterAll, expect, test } from 'vitest'
import { EXAMINATIONS_WAITING } from '../bounds.ts'
import { endExaminationThreads, examineAnswer, examineEvidence } from './run-examination.ts'

afterAll(endExaminationThreads)

const evidence = (observation: string, hash = 'h') => [
  { hash, field: null, value: null, observation, sourceLabel: null },
]
const sent = { receipt: 'r', input: '[]', items: [] }
const claims = [{ text: 'It repairs pumps.', citations: [{ item: 'E1', quotes: ['repairs pumps'] }] }]
const answer = { text: JSON.stringify({ receipt: 'r', claims }), finishReason: 'stop' }

test('an examination past its time is refused with what to do, and the next one is read by a new thread', async () => {
  const many = Array.from({ length: 400 }, (_, index) => evidence('Pumps and tanks. '.repeat(500), `h${index}`)).flat()
  await expect(examineEvidence('requests', many, 1)).rejects.toThrow(
    'The texts of this evidence take too long to examine. Choose fewer or shorter observations.',
  )
  const examined = await examineEvidence('requests', evidence('Call 082 765 4321'))
  expect(examined.get('h')).toMatchObject({ value: null, observation: { withheld: null }, isSuspected: false })
  expect(examined.get('h')?.observation?.text).not.toContain('4321')
})

test('an answer that cannot be examined in time is no answer', async () => {
  const long = { receipt: 'r', input: '', items: [{ item: 'E1', parts: ['Pumps '.repeat(5_000_000)] }] }
  expect(await examineAnswer(answer, long, 1)).toBeUndefined()
  expect(await examineAnswer(answer, sent)).toMatchObject({ kind: 'read', claims: [{ problem: null }] })
})

test('requests wait for each other up to a number, and do not delay answers', async () => {
  const requests = Array.from({ length: EXAMINATIONS_WAITING }, () => examineEvidence('requests', evidence('Pumps')))
  await expect(examineEvidence('requests', evidence('Pumps'))).rejects.toThrow('Too many texts are being examined.')
  expect(await examineAnswer(answer, sent)).toMatchObject({ kind: 'read' })
  expect(await Promise.all(requests)).toHaveLength(EXAMINATIONS_WAITING)
})
