import { expect, test } from 'vitest'
import { parseDuplicatesSearch } from './duplicates-search.ts'
import {
  addedWords,
  bitsText,
  countName,
  percent,
  reasonText,
  standingText,
  valuesWords,
  valueText,
  weightWords,
} from './matching-words.ts'
import { parseMergesSearch } from './merges-search.ts'

test('a score is rounded down, so it never appears in a higher band', () => {
  expect([0.8999, 0.9, 0.99999, 1].map(percent)).toEqual(['89,9 %', '90 %', '99,9 %', '100 %'])
})

test('weights are described in words, and in bits with a sign', () => {
  expect([9, -6, 3.2, -1, 0.2, 0].map((weight) => weightWords({ weight }))).toEqual([
    'very strong',
    'very strong',
    'strong',
    'some weight',
    'slight',
    'no effect',
  ])
  expect([bitsText(6.25), bitsText(-1)]).toEqual(['+6,3 bits', '−1 bit'])
})

test('the phones of a reason are grouped, other texts stay', () => {
  expect(reasonText({ field: 'phone', text: 'same phone +27697998635, used by no other prospect' })).toBe(
    'same phone +27 69 799 8635, used by no other prospect',
  )
  expect(reasonText({ field: 'name', text: 'same name: “+27697998635”' })).toBe('same name: “+27697998635”')
})

test('counts and unknown values are described in words', () => {
  expect(addedWords({ evidence: 2, notes: 1, transitions: 0, interactions: 0 })).toBe('2 observations, 1 note')
  expect(addedWords({ evidence: 0, notes: 0, transitions: 0, interactions: 0 })).toBe(
    'no evidence, notes, moves or interactions',
  )
  expect(addedWords({ notes: 0, visits: 1, audit: 3 })).toBe('1 visit')
  expect(addedWords({ visits: 2, sources: 1 })).toBe('2 visits')
  expect(addedWords({ domainCandidates: 2, legalBases: 1, siteVisits: 1 })).toBe(
    '2 domain candidates, 1 legal basis, 1 site visit',
  )
  const kinds = ['evidence', 'transitions', 'domainAssociations', 'officialSites', 'draftVersions', 'siteVisits']
  expect(kinds.map(countName)).toEqual([
    ...['Evidence', 'Pipeline moves', 'Accepted domains', 'Official sites', 'Draft versions', 'Site visits'],
  ])
  expect(valuesWords({ identifiers: 1, tags: 2 })).toBe('1 address or number and 2 tags')
  expect([valueText('city', null), valueText('pipelineState', 'new'), valueText('name', 'new')]).toEqual([
    'Not known',
    'New',
    'new',
  ])
})

test('the evidence for a value states how much disagrees', () => {
  expect(standingText(undefined)).toBe('No evidence')
  const all = { newestCounted: null }
  expect(standingText({ supporting: 1, contradicting: 0, undecided: 0, ...all })).toBe(
    '1 observation supports this value',
  )
  expect(standingText({ supporting: 2, contradicting: 1, undecided: 0, ...all })).toBe(
    '2 observations support this value, 1 contradicts',
  )
  expect(standingText({ supporting: 0, contradicting: 2, undecided: 0, ...all })).toBe(
    'No observation supports this value, 2 contradict',
  )
  expect(standingText({ supporting: 999, contradicting: 1, undecided: 0, newestCounted: 1_000 })).toBe(
    '999 observations support this value, 1 contradicts (among the newest 1\u00a0000)',
  )
  expect(standingText({ supporting: 0, contradicting: 0, undecided: 0, newestCounted: 1_000 })).toBe(
    'No evidence (among the newest 1\u00a0000)',
  )
})

test('evidence that cannot be compared is counted on its own', () => {
  const counts = { supporting: 0, contradicting: 0, newestCounted: null }
  expect(standingText({ ...counts, undecided: 1 })).toBe('1 observation cannot be compared')
})

test('reads known filters from a link and drops others', () => {
  expect(parseDuplicatesSearch({ status: 'rejected', band: 'review', businessId: '01-a', other: 1 })).toEqual({
    status: 'rejected',
    band: 'review',
    businessId: '01-a',
  })
  expect(parseDuplicatesSearch({ status: 'open', band: 'weak', businessId: '<b>' })).toEqual({})
  expect(parseDuplicatesSearch({ q: '215550101' })).toEqual({ q: '215550101' })
  expect(parseDuplicatesSearch({ q: 'karoo', businessId: '01-a' })).toEqual({ businessId: '01-a' })
  expect(parseMergesSearch({ status: 'reversed', businessId: 4 })).toEqual({ status: 'reversed' })
})
