import { expect, test } from 'vitest'
import { readOutcome, readReadBack, readRecordState, readSnapshot } from './merges.schema.ts'

test('a merge made before a room declared a kind of child reads as having none of it', () => {
  const counts = { evidence: 1, sources: 0, audit: 3 }
  const stored = {
    survivor: counts,
    loser: counts,
    throughSurvivor: counts,
    leftOut: { identifiers: 0, tags: 0 },
    doNotContact: false,
  }
  expect(readReadBack(JSON.stringify(stored)).survivor).toMatchObject({ ...counts, notes: 0 })
  const outcome = { restored: [], kept: [], conflicts: [], added: { evidence: 2 }, doNotContact: [] }
  expect(readOutcome(JSON.stringify(outcome)).added).toMatchObject({ evidence: 2, notes: 0 })
})

test('a read-back without any other field fails', () => {
  expect(() => readReadBack('{"doNotContact":false}')).toThrow('leftOut')
})

const kept = { count: 1, ids: ['a1'], hash: 'h' }
const identifier = { kind: 'email', position: 0, original: 'a@karoo.co.za', label: null }
const record = {
  business: { id: 'a', name: 'Karoo Windpumps', city: null, version: 1, column_of_its_release: 'x' },
  identifiers: [identifier],
  children: { notes: kept, children_of_its_release: kept },
  sources: kept,
  audit: { count: 1, lastSequence: 7 },
  suppressions: ['s1'],
}
const snapshot = {
  format: 1,
  survivorId: 'a',
  loserId: 'b',
  survivorFamily: ['a'],
  loserFamily: ['b'],
  records: [record],
  part_of_its_release: true,
}

test('a snapshot is read with everything that its release stored, because its hash covers that', () => {
  expect(readSnapshot(JSON.stringify(snapshot))).toEqual(snapshot)
})

test.for([
  { ...snapshot, format: 2 },
  { ...snapshot, loserFamily: [1] },
  { ...snapshot, records: [{ ...record, business: { id: ['a'] } }] },
  { ...snapshot, records: [{ ...record, identifiers: [[]] }] },
  { ...snapshot, records: [{ ...record, children: { notes: { ...kept, ids: ['a1', 2] } } }] },
])('a snapshot of another shape is refused: %j', (other) => {
  expect(() => readSnapshot(JSON.stringify(other))).toThrow()
})

test('the state of a record is two kinds of rows', () => {
  const state = { columns: { name: 'Karoo Windpumps', tags: '[]', has_evidence: 0 }, identifiers: [identifier] }
  expect(readRecordState(JSON.stringify(state))).toEqual(state)
  expect(() => readRecordState('{}')).toThrow()
  expect(() => readRecordState(JSON.stringify({ ...state, columns: { name: {} } }))).toThrow()
})
