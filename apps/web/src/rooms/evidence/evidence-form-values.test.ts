import { describe, expect, test } from 'vitest'
import { draftFields } from '../../ui/forms/draft-fields.ts'
import { emptyEvidence, evidenceBody, evidenceFrom, evidenceGuards, missingInEvidence } from './evidence-form-values.ts'

const zone = 'Africa/Johannesburg'
const now = '2026-11-02T08:00:00.000Z'

describe('the request body of an observation', () => {
  test('times in the zone of the tenant are sent as instants', () => {
    const values = { ...emptyEvidence(), capturedAt: '2026-11-02 10:00', observedAt: '2026-11-1 0:30' }
    expect(evidenceBody(values, zone, 'never')).toMatchObject({
      capturedAt: now,
      observedAt: '2026-10-31T22:30:00.000Z',
    })
  })

  test('a claim sends its field and value; a blank capture time is the time of recording', () => {
    const values = { ...evidenceFrom({ field: 'email', value: 'a@b.example' }), sourceLabel: 'Their web site' }
    expect(evidenceBody(values, zone, now)).toEqual({
      field: 'email',
      value: 'a@b.example',
      sourceLabel: 'Their web site',
      capturedAt: now,
      confidence: 'medium',
    })
  })

  test('a correction has the capture and observation times of the corrected evidence, unless others are typed', () => {
    const values = { ...emptyEvidence(), field: 'email' as const, value: 'a@b.example', supersedesId: 'e1' }
    const times = { capturedAt: '2026-10-02T08:00:00.000Z', observedAt: '2026-10-01T08:00:00.000Z' }
    const before = { ...times, capturedOn: null, observedOn: null }
    expect(evidenceBody(values, zone, now, before)).toMatchObject(times)
    expect(
      evidenceBody({ ...values, observedAt: '2026-10-05 10:00', capturedAt: '2026-10-06 10:00' }, zone, now, before),
    ).toMatchObject({
      capturedAt: '2026-10-06T08:00:00.000Z',
      observedAt: '2026-10-05T08:00:00.000Z',
    })
    expect(evidenceBody(values, zone, now, { ...before, observedAt: null })).not.toHaveProperty('observedAt')
  })

  test('a typed day is sent as a day without a time', () => {
    const values = { ...emptyEvidence(), capturedAt: '2026-11-2', observedAt: '2026/11/01' }
    const body = evidenceBody(values, zone, now)
    expect(body).toMatchObject({ capturedOn: '2026-11-02', observedOn: '2026-11-01' })
    expect(Object.keys(body).filter((key) => key.endsWith('At'))).toEqual([])
  })

  test('a correction of evidence known to the day stays known to the day', () => {
    const values = { ...emptyEvidence(), field: 'email' as const, value: 'a@b.example', supersedesId: 'e1' }
    const days = { capturedOn: '2026-10-02', observedOn: '2026-10-01' }
    const before = { ...days, capturedAt: '2026-10-01T22:00:00.000Z', observedAt: '2026-09-30T22:00:00.000Z' }
    const body = evidenceBody(values, zone, now, before)
    expect(body).toMatchObject(days)
    expect(Object.keys(body).filter((key) => key.endsWith('At'))).toEqual([])
  })

  test('a free observation sends no field, even if one was chosen before', () => {
    const values = {
      ...emptyEvidence(),
      kind: 'observation' as const,
      field: 'email' as const,
      value: 'x',
      observation: 'Busy yard',
    }
    expect(evidenceBody(values, zone, now)).toEqual({ observation: 'Busy yard', capturedAt: now, confidence: 'medium' })
  })

  test('missing values are reported beside their fields, always including the source', () => {
    expect(Object.keys(missingInEvidence(emptyEvidence()))).toEqual(['field', 'value', 'sourceLabel'])
    const observed = { ...emptyEvidence(), kind: 'observation' as const, sourceReference: 'INV-1' }
    expect(Object.keys(missingInEvidence(observed))).toEqual(['observation'])
    const times = { ...observed, observation: 'x', capturedAt: '11/02/2026 10:00', observedAt: ' ' }
    expect(missingInEvidence(times)).toEqual({
      capturedAt: 'Enter a date, such as 21/11/2026, or with a time: 21/11/2026 14:30.',
    })
    expect(missingInEvidence({ ...times, capturedAt: '2026-02-30' })).toEqual({
      capturedAt: 'This date does not exist.',
    })
    expect(missingInEvidence({ ...times, capturedAt: '2026-02-03 24:30' })).toEqual({
      capturedAt: 'This time does not exist. A day ends at 23:59.',
    })
    expect(missingInEvidence({ ...times, capturedAt: '2026-02-03' })).toEqual({})
  })

  test('a stored draft is restored unchanged, and invalid content is ignored', () => {
    const from = evidenceFrom({ field: 'phone', value: '021' })
    const values = { ...from, confidence: 'high' as const }
    const read = (stored: unknown) => draftFields(stored, emptyEvidence(), evidenceGuards)
    const { supersedesId: _, ...typed } = values
    expect(read(JSON.parse(JSON.stringify(values)))).toEqual(typed)
    expect(read('x')).toBeNull()
    expect(read({ field: 'nonsense', confidence: 7 })).toEqual({})
  })
})
