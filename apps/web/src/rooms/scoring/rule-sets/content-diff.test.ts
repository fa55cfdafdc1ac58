import type { ScoringContent } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { contentChanges } from './content-diff.ts'

const content: ScoringContent = {
  groups: [
    {
      id: 'contact',
      name: 'Contact',
      min: 0,
      max: 50,
      rules: [
        { id: 'phone', signal: 'record.phones', op: 'at_least', value: 1, points: 20 },
        { id: 'email', signal: 'record.emails', op: 'at_least', value: 1, points: 10 },
      ],
    },
  ],
  gates: [{ id: 'open', signal: 'record.state', op: 'none_of', value: ['won'], kind: 'requires' }],
  bands: [
    { id: 'A', name: 'A', from: 60 },
    { id: 'B', name: 'B', from: 0 },
  ],
  straddling: 'lowest',
  rounding: 'half_up',
  tieBreak: 'completeness',
  suppression: 'first',
}
const words = { phone: 'Phones: +20', email: 'Emails: +10', open: 'Requires open' }

test('identical content has no changes', () => {
  expect(contentChanges({ content, words }, { content: structuredClone(content), words })).toEqual([])
})

test('added, changed and removed parts have their words before and after', () => {
  const next: ScoringContent = {
    ...content,
    groups: [
      {
        id: 'contact',
        name: 'Contact',
        min: 0,
        max: 40,
        rules: [
          { id: 'phone', signal: 'record.phones', op: 'at_least', value: 1, points: 25 },
          { id: 'web', signal: 'record.domains', op: 'at_least', value: 1, points: 5 },
        ],
      },
    ],
    gates: [],
    bands: [
      { id: 'A', name: 'A', from: 70 },
      { id: 'B', name: 'B', from: 0 },
    ],
    straddling: 'unknown',
  }
  const after = { content: next, words: { phone: 'Phones: +25', web: 'Domains: +5' } }
  expect(contentChanges({ content, words }, after)).toEqual([
    { what: 'Group', before: 'Contact: counts from 0 to +50', after: 'Contact: counts from 0 to +40' },
    { what: 'Rule', before: 'Phones: +20 (Contact)', after: 'Phones: +25 (Contact)' },
    { what: 'Rule', before: null, after: 'Domains: +5 (Contact)' },
    { what: 'Band', before: 'A: 60 to 100', after: 'A: 70 to 100' },
    { what: 'Band', before: 'B: 0 to below 60', after: 'B: 0 to below 70' },
    {
      what: 'Ranges',
      before: 'If a score range covers several bands, the priority is the lowest band.',
      after: 'If a score range covers several bands, the priority is Unknown.',
    },
    { what: 'Rule', before: 'Emails: +10 (Contact)', after: null },
    { what: 'Requirement', before: 'Requires open', after: null },
  ])
})
