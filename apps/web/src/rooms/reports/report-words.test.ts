import { expect, test } from 'vitest'
import { barsOf, cellWords, filterSentence, hoursWords, keyName, semanticsWords } from './report-words.ts'

const asked = {
  from: '2026-11-01',
  to: '2026-11-30',
  timeZone: 'Africa/Johannesburg',
  asOf: '2026-11-21T08:00:00.000Z',
}

test('every figure states what its numbers count and as of when', () => {
  expect(semanticsWords('latest_state', asked)).toBe('Active prospects, as of 21 Nov 2026, 10:00')
  expect(semanticsWords('event_time', asked)).toBe(
    'Events 01 Nov 2026 to 30 Nov 2026, with the data known on 21 Nov 2026, 10:00',
  )
})

test('keys become labels, and a missing measurement is not shown as zero', () => {
  expect(keyName('interactions_by_outcome', 'left_message')).toBe('Left a message')
  expect(keyName('distinct_businesses', 'interaction')).toBe('Had an interaction')
  expect(keyName('moves', 'negotiation')).toBe('Negotiation')
  expect(cellWords('Share', 2 / 3)).toBe('66,7 %')
  expect(cellWords('Share', 492 / 516)).toBe('95,3 %')
  expect(cellWords('Share', null)).toBe('–')
  expect([hoursWords(5.5), hoursWords(76)]).toEqual(['5,5 h', '3,2 days'])
})

test('bars are relative to the longest one; conversion is relative to the total', () => {
  const moves = barsOf({
    key: 'moves',
    columns: ['From', 'To', 'Moves'],
    rows: [
      ['new', 'contacted', 4],
      ['contacted', 'qualified', 1],
    ],
  })
  expect(moves).toEqual([
    { label: 'New → Contacted', length: 1, apart: 0, words: '4' },
    { label: 'Contacted → Qualified', length: 0.25, apart: 0, words: '1' },
  ])
  const interactions = barsOf({
    key: 'interactions_by_outcome',
    columns: ['Outcome', 'Interactions', 'While do not contact'],
    rows: [['connected', 3, 1]],
  })
  expect(interactions).toEqual([{ label: 'Connected', length: 0.75, apart: 0.25, words: '3 + 1' }])
  const conversion = barsOf({
    key: 'conversion',
    columns: ['State', 'Entered', 'Went on', 'Share'],
    rows: [
      ['new', 4, 1, 0.25],
      ['won', 0, 0, null],
    ],
  })
  expect(conversion.map(({ length, words }) => [length, words])).toEqual([
    [0.25, '25 %'],
    [0, '–'],
  ])
})

test('a tag cannot reverse the text around it', () => {
  expect(filterSentence({ tag: 'a\u202Eevil' }, () => '')).toBe('Active prospects tagged a[U+202E]evil')
})
