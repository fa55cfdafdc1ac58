import type { Interaction } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { draftFields } from '../../ui/forms/draft-fields.ts'
import {
  interactionBody,
  interactionFrom,
  interactionGuards,
  isBlankInteraction,
  missingInInteraction,
} from './interaction-form-values.ts'

const zone = 'Africa/Johannesburg'
const now = '2026-11-21T10:00:00.000Z'

const kept: Interaction = {
  id: 'i1',
  businessId: 'b1',
  occurredAt: '2026-11-20T09:00:00.000Z',
  channel: 'meeting',
  direction: 'inbound',
  outcome: 'meeting_held',
  summary: 'They came by.',
  participants: ['Nomsa'],
  followUpOn: '2026-12-01',
  correctsId: null,
  correctedById: null,
  onDoNotContact: false,
  createdAt: now,
  createdBy: { kind: 'system', name: 'sample data' },
}

test('a time is in the zone of the tenant and sent as an instant; a blank one is the given time', () => {
  const values = { ...interactionFrom(null), outcome: 'connected' as const }
  expect(interactionBody(values, zone, now).occurredAt).toBe(now)
  expect(interactionBody({ ...values, occurredAt: '2026-11-20 11:30' }, zone, now).occurredAt).toBe(
    '2026-11-20T09:30:00.000Z',
  )
})

test('blank fields are not sent', () => {
  expect(Object.keys(interactionBody({ ...interactionFrom(null), outcome: 'other' }, zone, now))).toEqual([
    'occurredAt',
    'channel',
    'outcome',
  ])
})

test('a correction starts with the values of the corrected interaction and references it', () => {
  expect(interactionBody(interactionFrom(kept), zone, kept.occurredAt)).toEqual({
    occurredAt: kept.occurredAt,
    channel: 'meeting',
    direction: 'inbound',
    outcome: 'meeting_held',
    summary: 'They came by.',
    participants: ['Nomsa'],
    followUpOn: '2026-12-01',
    correctsId: 'i1',
  })
})

test('only the outcome is required, and an untouched form stores no draft', () => {
  expect(missingInInteraction(interactionFrom(null))).toEqual({ outcome: 'Choose an outcome.' })
  const typed = { ...interactionFrom(kept), occurredAt: '20/11/2026 11:30', followUpOn: 'soon' }
  expect(missingInInteraction(typed)).toEqual({
    occurredAt: 'Enter a date and time, such as 2026-11-21 14:30.',
    followUpOn: 'Enter a date, such as 2026-11-21, 21 Nov or yesterday.',
  })
  expect(isBlankInteraction(interactionFrom(null))).toBe(true)
  expect(isBlankInteraction({ ...interactionFrom(null), summary: 'x' })).toBe(false)
})

test('a stored draft is restored unchanged, and an invalid one as far as its fields are valid', () => {
  const values = interactionFrom(kept)
  const read = (stored: unknown) => draftFields(stored, interactionFrom(null), interactionGuards)
  const { correctsId: _, ...typed } = values
  expect(read(JSON.parse(JSON.stringify(values)))).toEqual(typed)
  expect(read({ outcome: 'fax', channel: 7, participants: ['A', 3] })).toEqual({})
  expect(read('text')).toBeNull()
})
