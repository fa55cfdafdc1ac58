import type { ScoringContent, ScoringSignal, ScoringVersion } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'
import { atFields, contentOf, isTypedContent, missingIn, newPartId, ruleValues, withSignal } from './typed-content.ts'

const content: ScoringContent = {
  groups: [
    {
      id: 'contact',
      name: 'Contact',
      min: -5,
      max: 50,
      rules: [
        {
          id: 'phone',
          signal: 'record.phones',
          op: 'at_least',
          value: 1,
          points: 20.5,
          freshDays: 180,
          expireDays: 540,
          minConfidence: 'medium',
        },
        { id: 'mining', signal: 'record.tags', op: 'has_any', value: ['Mining'], points: -3 },
        { id: 'registered', signal: 'record.registration_number', op: 'is_true', points: 5 },
      ],
    },
  ],
  gates: [
    { id: 'open', signal: 'record.state', op: 'none_of', value: ['won', 'lost'], kind: 'requires' },
    { id: 'own', signal: 'record.mail_domain', op: 'is', value: 'own', kind: 'excludes' },
  ],
  bands: [
    { id: 'A', name: 'A', from: 60 },
    { id: 'B', name: 'B', from: 0 },
  ],
  straddling: 'lowest',
  rounding: 'half_up',
  tieBreak: 'completeness',
  suppression: 'first',
}
const version = { edit: 3, content, rollbackPlan: null } as ScoringVersion

const signal = (key: string, title: string, more: Partial<ScoringSignal> = {}): ScoringSignal => ({
  key,
  title,
  type: 'number',
  operators: ['at_least', 'at_most'],
  choices: null,
  datedBy: null,
  restsOnEvidence: false,
  available: true,
  reason: null,
  ...more,
})
const states = [
  { value: 'won', label: 'Won' },
  { value: 'lost', label: 'Lost' },
]
const signals = [
  signal('record.phones', 'Phones', { datedBy: 'the newest evidence', restsOnEvidence: true }),
  signal('record.tags', 'Tags', { type: 'list', operators: ['has_any', 'none_of'] }),
  signal('record.registration_number', 'Registration number', { type: 'flag', operators: ['is_true'] }),
  signal('record.state', 'State', { type: 'choice', operators: ['is', 'one_of', 'none_of'], choices: states }),
]

test('unchanged content is sent as it was loaded', () => {
  const typed = ruleValues(version)
  expect(typed).toMatchObject({ rollbackPlan: '' })
  expect(contentOf(typed.content)).toEqual(content)
  expect(missingIn(typed.content)).toEqual({})
})

test('blank required fields are reported by their path in the request', () => {
  const { content: typed } = ruleValues(version)
  const [group] = typed.groups
  if (group !== undefined) {
    group.name = ' '
    group.rules = group.rules.map((rule) => ({ ...rule, points: '' }))
  }
  typed.bands = typed.bands.map((band) => ({ ...band, from: '' }))
  expect(Object.keys(missingIn(typed))).toEqual([
    'content.groups.0.name',
    'content.groups.0.rules.0.points',
    'content.groups.0.rules.1.points',
    'content.groups.0.rules.2.points',
    'content.bands.0.from',
    'content.bands.1.from',
  ])
})

test('numbers that cannot be read or are out of range are reported by their path in the request', () => {
  const typed = ruleValues(version).content
  const [group] = typed.groups
  const [rule] = group?.rules ?? []
  if (group === undefined || rule === undefined) throw new Error('The example has a rule.')
  const wrong = { ...rule, points: '20.5', number: '1.000', freshDays: 0 }
  const content = { ...typed, groups: [{ ...group, rules: [wrong] }], gates: [], bands: [] }
  expect(missingIn(content)).toEqual({
    'content.groups.0.rules.0.points': 'Enter a number with at most 2 decimals, such as 50,25.',
    'content.groups.0.rules.0.number': 'Enter a whole number, such as 1\u00a0500.',
    'content.groups.0.rules.0.freshDays': 'Enter a number from 1 to 3\u00a0650.',
  })
  expect(contentOf(content).groups[0]?.rules[0]).not.toHaveProperty('value')
})

test('a new signal keeps only settings that fit it', () => {
  const [phone] = ruleValues(version).content.groups[0]?.rules ?? []
  const [phones, tags] = signals
  if (phone === undefined || phones === undefined || tags === undefined) throw new Error('The example has both.')
  expect(withSignal(phone, phones)).toMatchObject({
    op: 'at_least',
    number: 1,
    freshDays: 180,
    minConfidence: 'medium',
  })
  expect(withSignal(phone, tags)).toMatchObject({ op: 'has_any', number: '', freshDays: '', minConfidence: null })
})

test('an error of the API is shown at the field that has the value', () => {
  const values = ruleValues(version)
  const errors = {
    'content.groups.0.rules.0.value': 'a number',
    'content.groups.0.rules.1.value.2': 'words',
    'content.gates.0.value': 'a choice',
    'content.bands.1.id': 'a name',
    'content.groups.0.rules.2.points': 'points',
  }
  expect(atFields(errors, values)).toEqual({
    'content.groups.0.rules.0.number': 'a number',
    'content.groups.0.rules.1.words': 'words',
    'content.gates.0.words': 'a choice',
    'content.bands.1.name': 'a name',
    'content.groups.0.rules.2.points': 'points',
  })
})

test('a stored draft is used only if it has the lists of a rule set', () => {
  expect(isTypedContent(ruleValues(version).content)).toBe(true)
  expect(isTypedContent({ groups: [] })).toBe(false)
  expect(isTypedContent(null)).toBe(false)
})

test('a new part gets a unique id', () => {
  expect(newPartId('rule', [{ id: 'rule-1' }, { id: 'rule-3' }])).toBe('rule-4')
  expect(newPartId('rule', [{ id: 'x' }])).toBe('rule-2')
})

test('rules and gates read as sentences', () => {
  expect(sentencesOf(content, signals)).toEqual({
    phone:
      'Phones: at least 1; evidence of medium or higher confidence; fresh for 180 days; expires after 540 days: +20,5 points',
    mining: 'Tags include any of Mining: -3 points',
    registered: 'Registration number is stated: +5 points',
    open: 'Requires State is none of Won, Lost',
    own: 'Excludes An unknown signal (record.mail_domain)',
  })
})
