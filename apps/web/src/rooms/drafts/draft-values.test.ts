import type { Business } from '@prospect/api-client'
import { expect, test } from 'vitest'
import {
  bodyOf,
  channelOf,
  initialValues,
  insertPiece,
  isUsed,
  recipientOptions,
  recipientsOf,
  textOfSuggestion,
} from './draft-values.ts'

const business = {
  emails: [{ value: 'info@karoo.example' }],
  phones: [{ value: '+27825550199' }],
  address: {
    street: '1 Main Road',
    suburb: null,
    city: 'Prince Albert',
    province: null,
    postalCode: null,
    country: 'ZA',
  },
} as unknown as Business

test('the recipients of a channel are values of the record', () => {
  expect([recipientsOf(business, 'email'), recipientsOf(business, 'sms'), recipientsOf(business, 'letter')]).toEqual([
    ['info@karoo.example'],
    ['+27825550199'],
    ['1 Main Road, Prince Albert, ZA'],
  ])
})

test('an option of a recipient shows a number in groups and has the value of the record', () => {
  expect(recipientOptions(['+27825550199', 'info@karoo.example'])).toEqual([
    { value: '+27825550199', label: '+27 82 555 0199' },
    { value: 'info@karoo.example', label: 'info@karoo.example' },
  ])
})

test('a change of the channel selects a recipient of that channel, or none if the record has none', () => {
  const mail = { channel: 'email', recipient: 'info@karoo.example' } as const
  const call = { channel: 'call_script', recipient: '+27825550199' } as const
  expect(channelOf(business, 'sms', mail)).toEqual({ channel: 'sms', recipient: '+27825550199' })
  expect(channelOf(business, 'sms', call)).toEqual({ channel: 'sms', recipient: '+27825550199' })
  expect(channelOf({ ...business, phones: [] }, 'sms', mail)).toEqual({ channel: 'sms', recipient: '' })
  // A recipient that left the record stays while the kind of channel does.
  const gone = { channel: 'sms', recipient: '+27115550199' } as const
  expect(channelOf(business, 'call_script', gone).recipient).toBe('+27115550199')
  expect(channelOf(business, 'email', gone).recipient).toBe('info@karoo.example')
})

test('pieces that are inserted one after the other keep their order, at the caret', () => {
  const both = (text: string, caret: number | null) => {
    const first = insertPiece(text, '{{a}}', caret)
    return insertPiece(first.text, '[^1]', first.caret).text
  }
  expect(both('', null)).toBe('{{a}} [^1]')
  expect(both('Good day', null)).toBe('Good day {{a}} [^1]')
  expect(both('Good day', 0)).toBe('{{a}} [^1] Good day')
  expect(both('Good day, Ann', 4)).toBe('Good {{a}} [^1] day, Ann')
  expect(both('Good day', 8)).toBe('Good day {{a}} [^1]')
  // A caret from a longer text.
  expect(both('Hi', 40)).toBe('Hi {{a}} [^1]')
})

test('a suggestion becomes a text with one line per claim, and a marker for each quoted observation', () => {
  const claims = [
    {
      text: 'It sells windpumps.',
      citations: [
        { evidenceId: 'e1', hash: 'h', quotes: ['Windpumps', 'pumps'] },
        { evidenceId: 'e2', hash: 'h', quotes: ['sells'] },
      ],
    },
    { text: 'It repairs them.', citations: [{ evidenceId: 'e1', hash: 'h', quotes: ['repairs'] }] },
  ]
  expect(textOfSuggestion({ claims })).toEqual({
    text: 'It sells windpumps. [^1] [^2]\nIt repairs them. [^3]',
    citations: [
      { marker: 1, evidenceId: 'e1', quote: 'Windpumps' },
      { marker: 2, evidenceId: 'e2', quote: 'sells' },
      { marker: 3, evidenceId: 'e1', quote: 'repairs' },
    ],
  })
})

test('the body omits citations without a marker, acknowledgements without a reason, and the subject in other channels', () => {
  const values = {
    ...initialValues({ business, draft: null, suggestion: null, userId: 'u1' }),
    channel: 'sms' as const,
    subject: 'Pumps',
    text: 'Good day [^2].',
    citations: [1, 2].map((marker) => ({ marker, evidenceId: `e${marker}` })),
    acknowledgements: [
      { evidenceId: 'e1', reason: ' ' },
      { evidenceId: 'e2', reason: 'Seen.' },
    ],
  }
  expect(bodyOf(values)).toMatchObject({
    subject: null,
    assigneeId: 'u1',
    recipient: { kind: 'phone' },
    citations: [{ marker: 2, evidenceId: 'e2' }],
    acknowledgements: [{ evidenceId: 'e2', reason: 'Seen.' }],
  })
})

test('an observation is used if the text cites it or shows its field', () => {
  const empty = initialValues({ business, draft: null, suggestion: null, userId: 'u1' })
  const name = { id: 'e1', field: 'name' }
  expect(isUsed(name, empty)).toBe(false)
  expect(isUsed(name, { ...empty, text: 'Dear {{business.name|owner}}' })).toBe(true)
  expect(isUsed({ id: 'e1', field: null }, { ...empty, citations: [{ marker: 1, evidenceId: 'e1' }] })).toBe(true)
})
