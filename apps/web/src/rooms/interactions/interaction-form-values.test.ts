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
const about = { zone, corrects: null, now }

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
  personId: null,
  onDoNotContact: false,
  createdAt: now,
  createdBy: { kind: 'system', name: 'sample data' },
}

test('a time is in the zone of the tenant and sent as an instant; a blank one is the given time', () => {
  const values = { ...interactionFrom(null), outcome: 'connected' as const }
  expect(interactionBody(values, about).occurredAt).toBe(now)
  expect(interactionBody({ ...values, occurredAt: '2026-11-20 11:30' }, about).occurredAt).toBe(
    '2026-11-20T09:30:00.000Z',
  )
})

test('blank fields are not sent', () => {
  expect(Object.keys(interactionBody({ ...interactionFrom(null), outcome: 'other' }, about))).toEqual([
    'occurredAt',
    'channel',
    'outcome',
  ])
})

test('a correction starts with the values of the corrected interaction and references it', () => {
  expect(interactionBody(interactionFrom(kept), { ...about, corrects: kept })).toEqual({
    occurredAt: kept.occurredAt,
    channel: 'meeting',
    direction: 'inbound',
    outcome: 'meeting_held',
    summary: 'They came by.',
    participants: ['Nomsa'],
    followUpOn: '2026-12-01',
    acceptPastFollowUp: true,
    correctsId: 'i1',
  })
})

test('only the outcome is required, and an untouched form stores no draft', () => {
  const about = { corrects: null, today: '2026-11-28' }
  expect(missingInInteraction(interactionFrom(null), about)).toEqual({ outcome: 'Choose an outcome.' })
  const typed = { ...interactionFrom(kept), occurredAt: '20/11/2026 11:30', followUpOn: 'soon' }
  expect(missingInInteraction(typed, about)).toEqual({
    occurredAt: 'Enter a date and time, such as 21/11/2026 14:30.',
    followUpOn: 'Enter a date, such as 21/11/2026, 21 Nov, tomorrow or friday.',
  })
  expect(isBlankInteraction(interactionFrom(null))).toBe(true)
  expect(isBlankInteraction({ ...interactionFrom(null), summary: 'x' })).toBe(false)
})

test('a follow-up before today is an error, unless a correction keeps the date of the interaction that it corrects', () => {
  const problemOf = (followUpOn: string, corrects: Interaction | null) =>
    missingInInteraction({ ...interactionFrom(kept), followUpOn }, { corrects, today: '2026-12-02' }).followUpOn
  const past = 'This date is in the past. Choose today or later.'
  expect([problemOf('2026-12-01', null), problemOf('2026-12-02', null)]).toEqual([past, undefined])
  expect([problemOf('2026-12-01', kept), problemOf('2026-11-30', kept)]).toEqual([undefined, past])
  const bodyOf = (followUpOn: string, corrects: Interaction | null) =>
    interactionBody(
      { ...interactionFrom(kept), followUpOn },
      { zone: 'UTC', corrects, now: '2026-12-02T08:00:00.000Z' },
    )
  expect(bodyOf('2026-12-01', kept)).toMatchObject({ followUpOn: '2026-12-01', acceptPastFollowUp: true })
  for (const body of [bodyOf('2026-12-03', kept), bodyOf('2026-12-01', null)])
    expect(body).not.toHaveProperty('acceptPastFollowUp')
})

test('a stored draft is restored unchanged, and an invalid one as far as its fields are valid', () => {
  const values = interactionFrom(kept)
  const read = (stored: unknown) => draftFields(stored, interactionFrom(null), interactionGuards)
  const { correctsId: _, ...typed } = values
  expect(read(JSON.parse(JSON.stringify(values)))).toEqual(typed)
  expect(read({ outcome: 'fax', channel: 7, participants: ['A', 3] })).toEqual({})
  expect(read('text')).toBeNull()
})
