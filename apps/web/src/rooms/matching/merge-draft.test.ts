import type { MergeField, MergePreview } from '@prospect/api-client'
import { expect, test } from 'vitest'
import {
  choicesToSend,
  emptyDraft,
  isBlankDraft,
  type MergeDraft,
  missingIn,
  parseDraft,
  takenFromOther,
  valueSourceOf,
} from './merge-draft.ts'

type Row = MergePreview['fields'][number]
const ids = ['a', 'b'] as const

function row(field: MergeField, a: string | null, b: string | null): Row {
  const differs = a !== b
  return { field, values: [a, b], evidence: [0, 0], differs, mustChoose: differs && field === 'pipelineState' }
}
const rows = [
  row('name', 'Karoo', 'Karoo Pumps'),
  row('industry', null, 'Irrigation'),
  row('pipelineState', 'new', 'contacted'),
  row('address.street', '14 Loop Street', null),
  row('address.city', 'Aberdeen', 'Aberdeen'),
]
const draft = (part: Partial<MergeDraft>): MergeDraft => ({ ...emptyDraft, ...part })
const standing = (all: Row[], field: MergeField, of: MergeDraft) => {
  const found = all.find((one) => one.field === field)
  return found && valueSourceOf(all, found, ids, of)
}

test('without a survivor only chosen values are decided', () => {
  expect(standing(rows, 'name', draft({}))).toBeNull()
  expect(standing(rows, 'name', draft({ fields: { name: 'b' } }))).toBe('b')
})

test('the value of the survivor is used, or that of the other record if the survivor has none', () => {
  const ofA = draft({ survivorId: 'a' })
  expect(standing(rows, 'name', ofA)).toBe('a')
  expect(standing(rows, 'industry', ofA)).toBe('b')
  expect(standing(rows, 'industry', draft({ survivorId: 'a', fields: { industry: 'a' } }))).toBe('a')
})

test('a pipeline state that differs must be chosen', () => {
  expect(standing(rows, 'pipelineState', draft({ survivorId: 'a' }))).toBeNull()
  expect(standing(rows, 'pipelineState', draft({ survivorId: 'a', fields: { pipelineState: 'b' } }))).toBe('b')
})

test('an address is completed from the other record only if nothing contradicts', () => {
  const ofB = draft({ survivorId: 'b' })
  expect(standing(rows, 'address.street', ofB)).toBe('a')
  const apart = [...rows.filter(({ field }) => field !== 'address.city'), row('address.city', 'Aberdeen', 'Paarl')]
  expect(standing(apart, 'address.street', ofB)).toBe('b')
})

test('lists the values from the other record, chosen or filled in', () => {
  const fields = { pipelineState: 'b', name: 'a' } as const
  expect(takenFromOther(rows, ids, draft({ survivorId: 'a', fields })).map(({ field }) => field)).toEqual([
    'industry',
    'pipelineState',
  ])
})

test('reports everything that is missing at once, beside its input', () => {
  expect(Object.keys(missingIn(rows, emptyDraft)).toSorted()).toEqual(['pipelineState', 'reason', 'survivor'])
  const whole = draft({ survivorId: 'a', fields: { pipelineState: 'a' }, reason: 'The same people' })
  expect(missingIn(rows, whole)).toEqual({})
})

test('sends only choices between values that differ', () => {
  const fields = { name: 'b', 'address.city': 'b', pipelineState: 'a' } as const
  expect(choicesToSend(rows, draft({ fields }))).toEqual({ name: 'b', pipelineState: 'a' })
})

test('a stored draft is validated: no other pair, no unknown field', () => {
  const kept = { survivorId: 'a', fields: { name: 'b', industry: 'c', colour: 'a' }, reason: 'Same', more: 1 }
  expect(parseDraft(kept, ids)).toEqual({ survivorId: 'a', fields: { name: 'b' }, reason: 'Same' })
  expect(parseDraft({ survivorId: 'z', fields: null }, ids)).toEqual(emptyDraft)
  expect(parseDraft('text', ids)).toBeNull()
  const begun = [draft({ reason: 'x' }), draft({ survivorId: 'a' }), draft({ fields: { name: 'b' } })]
  expect([emptyDraft, ...begun].map(isBlankDraft)).toEqual([true, false, false, false])
})
