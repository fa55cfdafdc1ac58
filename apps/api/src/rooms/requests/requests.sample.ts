import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { addRequestSchema } from './requests.schema.ts'
import { addRequest, answerRequest } from './requests.ts'

/** Adds an open request, one that is overdue, and an answered one. */
export async function sampleRequests({ people, prospects, now, as }: SampleDesk): Promise<void> {
  const [first, second] = prospects.filter(({ isWorked }) => isWorked)
  const entries = [
    {
      kind: 'source',
      receivedAt: daysAfter(now, -4),
      requester: { name: 'Naledi Khumalo', contact: 'naledi.khumalo@example.com' },
      identityCheck: 'She wrote from the address that we have.',
      businessId: first?.id ?? null,
    },
    {
      kind: 'access',
      receivedAt: daysAfter(now, -33),
      requester: { name: 'Pieter van Wyk', contact: null },
      businessId: second?.id ?? null,
    },
    {
      kind: 'objection',
      receivedAt: daysAfter(now, -20),
      requester: { name: 'Thandi Mokoena', contact: '082 555 0142' },
      identityCheck: 'She called from the number on the website.',
    },
  ]
  const ids: string[] = []
  for (const entry of entries) {
    const input = addRequestSchema.parse(entry)
    ids.push((await as(people.manager, 'subject_request.add', (tx) => addRequest(tx, input))).id)
  }
  const answer = { outcome: 'granted' as const, how: 'By phone: we do not call this number any more.', acts: [] }
  const answered = ids.at(-1)
  if (answered !== undefined)
    await as(people.manager, 'subject_request.answer', (tx) => answerRequest(tx, answered, answer))
}
