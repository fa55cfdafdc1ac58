import type { Export } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { exportSentence } from './export-sentence.ts'

const createdBy = { kind: 'user' as const, id: 'ann', name: 'Ann' }
const said = (filter: Export['filter'], erasedFields: string[] = []) =>
  exportSentence({ filter, erasedFields, createdBy }, { people: [], timeZone: 'Africa/Johannesburg' })

test('an export has the same name as its list', () => {
  expect(said([])).toBe('All prospects')
  expect(
    said([
      { field: 'state', op: 'any_of', values: ['won', 'lost'] },
      { field: 'doNotContact', op: 'any_of', values: [false] },
      { field: 'updatedAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', null] },
      { field: 'status', op: 'any_of', values: ['inactive'] },
    ]),
  ).toBe('Prospects in Won or in Lost, not marked do not contact, updated since 20 Nov 2026, that are inactive')
})

test('the person who requested it is named even if no prospect is assigned to them any more', () => {
  expect(said([{ field: 'assignee', op: 'any_of', values: ['ann'] }])).toBe('Prospects assigned to Ann')
  expect(said([{ field: 'assignee', op: 'any_of', values: ['ben'] }])).toBe('Prospects assigned to someone not listed')
})

test('an erased condition or an exact time never reads as all prospects', () => {
  expect(said([], ['q'])).toBe('Prospects containing erased words')
  expect(said([{ field: 'state', op: 'any_of', values: ['won'] }], ['tag', 'city'])).toBe(
    'Prospects in Won, with an erased tag, with an erased city',
  )
  expect(said([{ field: 'updatedAt', op: 'between', values: [null, '2026-11-20T10:00:00.000Z'] }])).toBe(
    'Prospects updated until 20 Nov 2026, 12:00',
  )
})
