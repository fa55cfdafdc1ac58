import { expect, test } from 'vitest'
import type { IdentifierRecord, StoredRecord } from '../../businesses/businesses.ts'
import { planMerge, renewedState } from './merge-plan.rules.ts'
import { planReversal } from './reverse-plan.rules.ts'

const blank: StoredRecord['business'] = {
  tenant_id: 'tenant',
  id: '',
  version: 1,
  created_at: '2026-11-21T08:00:00.000Z',
  created_by: 'somebody',
  updated_at: '2026-11-21T08:00:00.000Z',
  name: 'Karoo Pumps',
  name_key: 'karoo pumps',
  trading_name: null,
  name_stands_in: 0,
  registration_number: null,
  industry: null,
  employees: null,
  street: null,
  suburb: null,
  city: null,
  province: null,
  province_code: null,
  postal_code: null,
  country: null,
  tags: '[]',
  assignee_id: null,
  primary_email: null,
  primary_phone: null,
  primary_phone_normalized: null,
  primary_domain: null,
  status: 'active',
  merged_into: null,
  deactivated_at: null,
  deactivated_by: null,
  last_interaction_at: null,
  last_outcome: null,
  doubts: 0,
  has_person: 0,
  follow_up_on: null,
  pipeline_state: 'new',
  state_before_pause: null,
  do_not_contact: 0,
  blocked_at: null,
  blocked_by: null,
  blocked_reason: null,
  blocked_through: null,
  has_evidence: 0,
  evidence_count: 0,
  normalization_version: 'n',
}

function record(id: string, said: Partial<StoredRecord['business']>, emails: readonly string[] = []): StoredRecord {
  const identifiers = emails.map((original, position): IdentifierRecord => {
    const normalized = original.includes('@') ? original.toLowerCase() : null
    const uncertainty = normalized === null ? 'not_an_email_address' : null
    return {
      kind: 'email',
      position,
      original,
      label: null,
      region: null,
      normalized,
      uncertainty,
      normalization_version: 'n',
    }
  })
  return { business: { ...blank, id, ...said }, identifiers }
}

const originals = ({ identifiers }: { identifiers: readonly IdentifierRecord[] }) =>
  identifiers.map(({ original }) => original)

test('missing values of the survivor are taken over; an address only where no part contradicts', () => {
  const told = { industry: 'Irrigation', street: '1 Church Street', city: 'Prieska' }
  const planned = (said: Partial<StoredRecord['business']>) =>
    planMerge(record('a', said), record('b', told), {}).after.columns
  expect(planned({})).toMatchObject(told)
  expect(planned({ city: 'Prieska' })).toMatchObject(told)
  expect(planned({ city: 'Aberdeen' })).toMatchObject({ industry: 'Irrigation', street: null, city: 'Aberdeen' })
  expect(planned({ industry: 'Farming', suburb: 'Centre' })).toMatchObject({ ...told, industry: 'Farming' })
})

test('evidence of both records belongs to the survivor after a merge', () => {
  for (const [one, other] of [
    [0, 1],
    [1, 0],
    [0, 0],
  ] as const) {
    const { columns } = planMerge(record('a', { has_evidence: one }), record('b', { has_evidence: other }), {}).after
    expect(columns.has_evidence).toBe(one + other)
  }
})

test('identifiers and tags of both are merged without duplicates, the survivor first; entries beyond the limit are counted', () => {
  const of = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at}@karoo.co.za`)
  const survivor = record('a', { tags: '["Wind"]' }, ['A@karoo.co.za', 'unreadable', ...of('a', 15)])
  const loser = record('b', { tags: '["wind","Sea"]' }, ['a@KAROO.co.za', 'unreadable', ...of('b', 5)])
  const { after, leftOut, takenOver } = planMerge(survivor, loser, {})
  expect(originals(after)).toEqual([...originals(survivor), 'b0@karoo.co.za', 'b1@karoo.co.za', 'b2@karoo.co.za'])
  expect(after.identifiers.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, at) => at))
  expect(after.columns).toMatchObject({ tags: '["Wind","Sea"]', primary_email: 'A@karoo.co.za' })
  expect(leftOut).toEqual({ identifiers: 2, tags: 0 })
  expect(takenOver).toEqual({ identifiers: 3, tags: 1 })
})

test('tags that differ only in case or in the composition of accents are equal', () => {
  const tagsAfter = (own: string[], others: string[]) =>
    planMerge(record('a', { tags: JSON.stringify(own) }), record('b', { tags: JSON.stringify(others) }), {}).after
      .columns.tags
  expect(tagsAfter(['Café'.normalize('NFC')], ['CAFÉ'.normalize('NFD'), 'Sea'])).toBe('["Café","Sea"]'.normalize('NFC'))
})

test('a reversal removes only merged values that were not edited since, by column and entry', () => {
  const before = record('a', { tags: '["Wind"]' }, ['a@karoo.co.za'])
  const loser = record('b', { industry: 'Irrigation', trading_name: 'KP', tags: '["Sea"]' }, ['b@karoo.co.za'])
  const { after } = planMerge(before, loser, {})
  const now = record('a', { ...after.columns, trading_name: 'Karoo', tags: '["Wind","Sea","Sun"]' }, [
    'a@karoo.co.za',
    'b@karoo.co.za',
    'c@karoo.co.za',
  ])
  const plan = planReversal(before, after, now)
  expect(plan.to.columns).toMatchObject({ industry: null, trading_name: 'Karoo', tags: '["Wind","Sun"]' })
  expect(originals(plan.to)).toEqual(['a@karoo.co.za', 'c@karoo.co.za'])
  expect(plan).toMatchObject({
    restored: ['industry'],
    kept: ['tradingName', 'tags', 'identifiers'],
    conflicts: ['tradingName'],
  })
})

test('a merge that was stored before a fact was added is reversed, and an entry of the new fact remains', () => {
  const before = record('a', {})
  const { after } = planMerge(before, record('b', { industry: 'Irrigation' }), {})
  const { employees: _added, ...business } = before.business
  const { employees: _addedToo, ...columns } = after.columns
  const stored = JSON.parse(JSON.stringify({ before: { ...before, business }, after: { ...after, columns } }))
  const untouched = planReversal(stored.before, renewedState(stored.after), record('a', after.columns))
  expect(untouched).toMatchObject({ restored: ['industry'], kept: [], to: { columns: { employees: null } } })
  const edited = planReversal(
    stored.before,
    renewedState(stored.after),
    record('a', { ...after.columns, employees: 12 }),
  )
  expect(edited).toMatchObject({ kept: ['employees'], conflicts: [], to: { columns: { employees: 12 } } })
})

test('a state and the state before its pause are restored together or not at all', () => {
  const before = record('a', { pipeline_state: 'paused', state_before_pause: 'qualified' })
  const loser = record('b', { pipeline_state: 'paused', state_before_pause: 'contacted' })
  const { after } = planMerge(before, loser, { pipelineState: 'b' })
  expect(after.columns.state_before_pause).toBe('contacted')
  const now = record('a', { ...after.columns, pipeline_state: 'contacted', state_before_pause: null })
  expect(planReversal(before, after, now)).toMatchObject({
    to: { columns: { pipeline_state: 'contacted', state_before_pause: null } },
    conflicts: ['pipelineState'],
  })
  const moved = record('a', { ...after.columns, pipeline_state: 'paused', state_before_pause: 'proposal' })
  expect(planReversal(before, after, moved).to.columns.state_before_pause).toBe('proposal')
})
