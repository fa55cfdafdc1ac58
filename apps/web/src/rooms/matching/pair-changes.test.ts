import type { Business, MatchSuggestion, MergeCounts, MergePreview } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { businessOf } from '../../../test/business.ts'
import { changesOf, earlierValue, hasChanged, type Pair } from './pair-changes.ts'

function business(id: string, part: Partial<Business> = {}): Business {
  return businessOf({ id, name: `Karoo ${id}`, ...part })
}

const none = { evidence: 0, notes: 0, transitions: 0, interactions: 0, sources: 0, audit: 1 } as MergeCounts
const noValues = { identifiers: 0, tags: 0 }
const ofValues = { takenOver: noValues, leftOut: noValues }

function pair(fingerprint: string, changes: { b?: Partial<Business>; city?: string; notes?: number } = {}): Pair {
  const businesses: [Business, Business] = [business('a'), business('b', changes.b)]
  const suggestion: MatchSuggestion = {
    id: 's',
    score: 0.95,
    band: 'strong',
    status: 'open',
    reasons: [],
    normalizationVersion: 'identifiers-2',
    algorithmVersion: 'additive-1',
    snapshotId: 's1',
    createdAt: '2026-11-01T08:00:00.000Z',
    updatedAt: '2026-11-01T08:00:00.000Z',
    businesses,
    canonical: [canonical, canonical],
    conflicts: [],
    fingerprint,
    snapshot: { id: 'n', at: '2026-11-01T08:00:00.000Z', records: 2 },
    decision: null,
    renews: null,
  }
  const values: [string | null, string | null] = ['Paarl', changes.city ?? null]
  const preview: MergePreview = {
    fingerprint,
    sides: [
      { id: 'a', counts: none, merged: [], ...ofValues },
      { id: 'b', counts: { ...none, notes: changes.notes ?? 0 }, merged: [], ...ofValues },
    ],
    fields: [{ field: 'address.city', values, evidence: [0, 0], differs: true, mustChoose: false }],
    pipelineStates: ['new', 'new'],
    doNotContact: 'Neither record is marked do not contact.',
  }
  return { suggestion, preview }
}

const canonical = {
  names: [],
  legalForm: null,
  phones: [],
  emails: [],
  domains: [],
  registrationNumber: null,
  address: null,
  doubts: [],
}

test('the same fingerprint and status is the same pair', () => {
  expect(hasChanged(pair('1'), pair('1'))).toBe(false)
  expect(hasChanged(pair('1'), pair('2'))).toBe(true)
  const decided = pair('1')
  decided.suggestion.status = 'rejected'
  expect(hasChanged(pair('1'), decided)).toBe(true)
  expect(changesOf(pair('1'), decided)).toEqual(['The suggestion is now “rejected”.'])
})

test('each visible change has its own sentence', () => {
  const now = pair('2', {
    city: 'Worcester',
    notes: 2,
    b: {
      tags: ['Farm'],
      doNotContact: {
        at: '2026-11-02T08:00:00.000Z',
        by: { kind: 'user', id: 'u', name: 'Ada' },
        reason: 'They asked.',
        through: 'hand',
      },
    },
  })
  expect(changesOf(pair('1'), now)).toEqual([
    '“Karoo b”: City was “Not known” and is “Worcester”.',
    '“Karoo b”: Tags changed.',
    '“Karoo b” was marked do not contact: They asked.',
    '“Karoo b” has 2 notes more.',
  ])
})

test('describes changed contact values and a lifted mark', () => {
  const doNotContact = {
    at: '2026-11-02T08:00:00.000Z',
    by: { kind: 'user', id: 'u', name: 'Ada' },
    reason: 'They asked.',
    through: 'hand',
  } as const
  const email = (value: string) =>
    [{ value, normalized: value, label: null, uncertainty: null }] satisfies Business['emails']
  const seen = pair('1', { b: { doNotContact, emails: email('a@karoo.example') } })
  expect(changesOf(seen, pair('2', { b: { emails: email('b@karoo.example') } }))).toEqual([
    '“Karoo b”: Emails changed.',
    '“Karoo b” can be contacted again.',
  ])
})

test('hidden and text-reversing characters are shown in values and reasons', () => {
  const by = { kind: 'user', id: 'u', name: 'Ada' } as const
  const doNotContact = { at: '2026-11-02T08:00:00.000Z', by, reason: 'Asked\u202E.', through: 'hand' } as const
  expect(changesOf(pair('1'), pair('2', { city: 'Wor\u200Bcester', b: { doNotContact } }))).toEqual([
    '“Karoo b”: City was “Not known” and is “Wor[U+200B]cester”.',
    '“Karoo b” was marked do not contact: Asked[U+202E].',
  ])
})

test('describes a changed score and changed reasons', () => {
  const now = pair('2')
  now.suggestion.reasons = [{ field: 'phone', weight: 7, text: 'same phone' }]
  expect(changesOf(pair('1'), now)).toEqual(['The evidence about this pair changed.'])
  now.suggestion.score = 0.8
  expect(changesOf(pair('1'), now)).toEqual(['The score was 95 % and is 80 %.'])
})

test('a changed value shows its previous value, an unchanged one nothing', () => {
  const [seen, now] = [pair('1'), pair('2', { city: 'Worcester' })]
  expect(earlierValue(seen, now, 'address.city', 1)).toBeNull()
  expect(earlierValue(seen, now, 'address.city', 0)).toBeUndefined()
  expect(earlierValue(null, now, 'address.city', 1)).toBeUndefined()
})
