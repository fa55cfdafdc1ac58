import type { FilterInput } from '@prospect/api-client'
import { describe, expect, test } from 'vitest'
import { type FilterCondition, fields, opWords } from './filter-fields.ts'
import { conditionWords, filterSentence } from './filter-words.ts'
import { conditionsOf, parseProspectSearch } from './prospect-search.ts'

const timeZone = 'Africa/Johannesburg'
const people = [{ id: 'u1', name: 'Thandi Nkosi' }]
const bands = [{ id: 'b1', name: 'Best', from: 60 }]
const context = { people, bands, timeZone }
const wordsOf = (condition: FilterInput[number], zone = timeZone) =>
  conditionWords(condition, { ...context, timeZone: zone })

describe('the words of a condition', () => {
  test.each<[FilterInput[number], string]>([
    [{ field: 'followUp', op: 'any_of', values: ['overdue'] }, 'with an overdue follow-up'],
    [{ field: 'followUp', op: 'is_empty', values: [] }, 'without follow-up'],
    [{ field: 'city', op: 'none_of', values: ['Caledon', 'George'] }, 'without city Caledon or George'],
    [{ field: 'city', op: 'is_empty', values: [] }, 'without city'],
    [{ field: 'industry', op: 'contains', values: ['farm'] }, 'with industry containing “farm”'],
    [{ field: 'createdAt', op: 'within_days', values: [7] }, 'created in the last 7 days'],
    [{ field: 'lastInteraction', op: 'not_within_days', values: [30] }, 'not contacted in the last 30 days'],
    [{ field: 'lastInteraction', op: 'is_empty', values: [] }, 'never contacted'],
    [
      { field: 'lastInteraction', op: 'not_between', values: ['2026-11-19T22:00:00.000Z', null] },
      'not contacted since 20 Nov 2026',
    ],
    [
      { field: 'lastOutcome', op: 'any_of', values: ['no_answer', 'left_message'] },
      'whose last outcome is No answer or Left a message',
    ],
    [{ field: 'lastOutcome', op: 'none_of', values: ['lost'] }, 'whose last outcome is not Lost'],
    [{ field: 'lastOutcome', op: 'is_empty', values: [] }, 'never contacted'],
    [{ field: 'evidenceCount', op: 'between', values: [1, 5] }, 'with at least 1 and at most 5 observations'],
    [{ field: 'evidenceCount', op: 'between', values: [1, null] }, 'with at least 1 observation'],
    [{ field: 'employees', op: 'between', values: [10, null] }, 'with a number of employees of at least 10'],
    [{ field: 'updatedAt', op: 'within_days', values: [1] }, 'updated in the last 1 day'],
    [{ field: 'identifiers', op: 'none_of', values: ['email', 'phone'] }, 'without email or phone'],
    [{ field: 'doubts', op: 'any_of', values: ['place', 'phone'] }, 'with doubtful place or phone'],
    [{ field: 'doubts', op: 'none_of', values: ['place'] }, 'without doubtful place'],
    [{ field: 'createdAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', null] }, 'created since 20 Nov 2026'],
    [
      { field: 'createdAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', '2026-11-20T10:00:00.000Z'] },
      'created from 20 Nov 2026 to 20 Nov 2026, 12:00',
    ],
    [{ field: 'createdAt', op: 'between', values: ['soon', null] }, 'created since soon'],
    [
      { field: 'followUp', op: 'between', values: ['2026-11-20', '2026-11-22'] },
      'with a follow-up from 20 Nov 2026 to 22 Nov 2026',
    ],
    [{ field: 'score', op: 'between', values: [10, 50] }, 'with a score from 10 to 50'],
    [{ field: 'score', op: 'between', values: [null, 50] }, 'with a score of at most 50'],
    [{ field: 'status', op: 'any_of', values: ['inactive'] }, 'that are inactive'],
    [{ field: 'state', op: 'none_of', values: ['new', 'won'] }, 'not in New or in Won'],
    [{ field: 'doNotContact', op: 'none_of', values: [false] }, 'marked do not contact'],
    [{ field: 'eligibility', op: 'none_of', values: ['eligible'] }, 'except those that are eligible'],
    [{ field: 'assignee', op: 'is_not_empty', values: [] }, 'with any assignee'],
  ])('%j reads "%s"', (condition, words) => {
    expect(wordsOf(condition)).toBe(words)
  })

  test('a day is the day of the workspace, east and west of UTC', () => {
    const range = (from: string, to: string): FilterInput[number] => ({
      field: 'updatedAt',
      op: 'between',
      values: [from, to],
    })
    expect(wordsOf(range('2026-11-19T22:00:00.000Z', '2026-11-20T21:59:59.999Z'))).toBe('updated on 20 Nov 2026')
    const west = range('2026-11-20T05:00:00.000Z', '2026-11-21T04:59:59.999Z')
    expect(wordsOf(west, 'America/New_York')).toBe('updated on 20 Nov 2026')
  })

  test('every field with every operator has words that name its values, and no other field', () => {
    const ops = Object.keys(opWords) as FilterCondition['op'][]
    for (const field of Object.keys(fields) as FilterCondition['field'][])
      for (const op of ops) {
        const values = op.endsWith('between') ? [10, 50] : op.startsWith('is_') ? [] : ['10', '50']
        const words = wordsOf({ field, op, values } as FilterInput[number])
        expect([field, op, words]).not.toEqual([field, op, expect.stringMatching(/undefined|\[object|^ | $/)])
        if (field !== 'updatedAt')
          expect([field, op, words]).not.toEqual([field, op, expect.stringContaining('updated')])
      }
  })
})

describe('the sentence of an address', () => {
  test.each([
    [{}, 'All prospects'],
    [{ state: 'new', assignee: 'me' }, 'Prospects in New, assigned to me'],
    [{ assignee: 'u1', tag: 'solar' }, 'Prospects assigned to Thandi Nkosi, tagged solar'],
    [{ assignee: 'gone' }, 'Prospects assigned to someone not listed'],
    [{ assignee: 'none', province: 'kzn' }, 'Prospects unassigned, in KwaZulu-Natal'],
    [{ province: 'none', hasEvidence: 'false' }, 'Prospects without a province, without evidence'],
    [{ doNotContact: 'true' }, 'Prospects marked do not contact'],
    [
      { conditions: 'hasPerson:any_of:true;person:contains:thandi;role:contains:buyer,owner' },
      'Prospects with a person, with a person’s name containing “thandi”, with a role containing “buyer” or “owner”',
    ],
    [{ conditions: 'role:any_of:buyer;hasPerson:any_of:false' }, 'Prospects without a person, with role buyer'],
    [{ q: 'acme', updatedFrom: '2026-11-01' }, 'Prospects containing “acme”, updated since 01 Nov 2026'],
    [{ updatedFrom: '2026-11-01', updatedTo: '2026-11-01' }, 'Prospects updated on 01 Nov 2026'],
    [{ priority: 'b1', eligibility: 'unknown' }, 'Prospects with priority Best, whose eligibility is unknown'],
    [{ priority: 'unknown' }, 'Prospects with priority Unknown'],
    [{ reachable: 'b1', scoreTo: '59' }, 'Prospects with possible priority Best, with a score of at most 59'],
    [{ state: 'open' }, 'Prospects that are open'],
    [
      { conditions: 'state:none_of:new,contacted,qualified,proposal,negotiation,lost' },
      'Prospects except those that are open or in Lost',
    ],
    [
      { scoreFrom: '20', scoreTo: '59', reachable: 'gone' },
      'Prospects with possible priority gone (no longer exists), with a score from 20 to 59',
    ],
    [
      { tag: 'solar', conditions: 'state:any_of:new,won;tag:none_of:farm' },
      'Prospects in New or in Won, tagged solar, not tagged farm',
    ],
    [
      { inactive: 'true', conditions: 'score:between:10,50' },
      'Prospects with a score from 10 to 50, that are inactive',
    ],
    [{ scoreFrom: '101', scoreTo: '-1', eligibility: 'maybe', priority: 'a b' }, 'All prospects'],
  ])('%j reads "%s"', (search, sentence) => {
    const conditions = conditionsOf(parseProspectSearch(search), timeZone)
    expect(filterSentence(conditions, context)).toBe(sentence)
  })
})
