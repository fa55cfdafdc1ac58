import { expect, test } from 'vitest'
import { readOutcome, readReadBack } from './merges.schema.ts'

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
