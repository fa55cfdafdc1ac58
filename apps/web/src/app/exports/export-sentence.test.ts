import { expect, test } from 'vitest'
import { exportSentence } from './export-sentence.ts'

const zone = 'Africa/Johannesburg'
const ann = { kind: 'user' as const, id: 'ann', name: 'Ann' }
const said = (filter: Record<string, unknown>) => exportSentence({ filter, createdBy: ann }, [], zone)

test('an export has the same name as its list', () => {
  expect(said({})).toBe('All prospects')
  expect(said({ state: 'won', doNotContact: false, updatedFrom: '2026-11-19T22:00:00.000Z' })).toBe(
    'Prospects in Won, not marked do not contact, updated since 20 Nov 2026',
  )
})

test('the person who requested it is named even if no prospect is assigned to them any more', () => {
  expect(said({ assignee: 'ann' })).toBe('Prospects assigned to Ann')
  expect(said({ assignee: 'ben' })).toBe('Prospects assigned to someone not listed')
})

test('an erased condition or an exact time never reads as all prospects', () => {
  expect(said({ q: null })).toBe('Prospects containing erased words')
  expect(said({ tag: null, state: 'won' })).toBe('Prospects in Won, with an erased tag')
  expect(said({ updatedTo: '2026-11-20T10:00:00.000Z' })).toBe('Prospects updated until 20 Nov 2026, 12:00')
})
