import { expect, test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../test/temporary-store.ts'
import type { Actor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { decided, decisionOf, requireEnd, requireOther } from './approvals.ts'

const [ann, ben] = [newId(), newId()]
const person = (userId: string): Actor => ({ ...actorIn(newId()), kind: 'user', userId }) as Actor

function refusal(actor: Actor, steps: Parameters<typeof requireOther>[1]): string | null {
  try {
    requireOther(actor, steps)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'own_approval') throw error
    return error.message
  }
}

test('nobody decides after a step of their own, and the error names the first such step', () => {
  const steps = { 'submitted this version': ben, 'edited this version': [ann, ben] }
  expect([ann, ben, newId()].map((id) => refusal(person(id), steps))).toEqual([
    'You edited this version. Another person must decide.',
    'You submitted this version. Another person must decide.',
    null,
  ])
})

test('a step of the system or one that did not happen is no step of the person', () => {
  const steps = { 'wrote this version': { kind: 'system', name: ann } as const, 'submitted this version': null }
  expect(refusal(person(ann), steps)).toBeNull()
  expect(refusal(person(ann), { 'wrote this version': { kind: 'user', id: ann, name: 'Ann' } })).toContain('You wrote')
  expect(refusal(actorIn(newId()), { 'wrote this version': 'command line' })).toBeNull()
})

test('an approval ends in the future, at the latest with the last allowed day of the workspace', async () => {
  // 29 November in the time zone of the workspace.
  const clock = () => new Date('2026-11-28T22:30:00.000Z')
  const store = temporaryStore({ clock })
  const actor = actorIn(await seedTenant(store))
  const tx = { db: store.reader, actor, at: clock().toISOString() } as unknown as Tx
  const of = async (end: string | null) => {
    try {
      return await requireEnd(tx, end, { field: 'endsAt', days: 2 })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return `${error.details.errors?.[0]?.path} ${error.details.errors?.[0]?.code}: ${error.message}`
    }
  }
  expect(await of('2026-12-01T22:00:00.000Z')).toBe('2026-12-01T22:00:00.000Z')
  expect(await of('2026-12-01T22:00:00.001Z')).toBe('endsAt too_late: It ends at most 2 days from now, on 2026-12-01.')
  expect(await of('2026-11-28T22:30:00.000Z')).toBe('endsAt in_past: Enter an end date in the future.')
  expect(await of(null)).toBe('endsAt required: Enter the end date.')
})

test('a decision is stored in three columns and read from them', () => {
  const tx = { actor: person(ann), at: '2026-11-28T10:00:00.000Z' } as unknown as Tx
  expect(decisionOf({ ...decided(tx, 'Correct.'), decider_name: 'Ann' })).toEqual({
    by: { kind: 'user', id: ann, name: 'Ann' },
    at: '2026-11-28T10:00:00.000Z',
    reason: 'Correct.',
  })
  expect(decisionOf({ decided_at: null, decided_by: null, decision_reason: null, decider_name: null })).toBeNull()
})
