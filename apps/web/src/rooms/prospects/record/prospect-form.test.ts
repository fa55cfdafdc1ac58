import { describe, expect, test } from 'vitest'
import { businessOf, noAddress } from '../../../../test/business.ts'
import {
  createBody,
  emptyRow,
  emptyValues,
  formPath,
  hasInput,
  isUnchanged,
  missingIn,
  patchBody,
  valuesFrom,
} from './prospect-form.ts'

const ama = { kind: 'user', id: 'u1', name: 'Ama' } as const

const business = businessOf({
  version: 3,
  updatedAt: '2026-11-02T08:00:00.000Z',
  createdBy: ama,
  registrationNumber: '2015/123456/07',
  emails: [{ value: ' Info@Karoo.co.za', label: 'sales', normalized: 'info@karoo.co.za', uncertainty: null }],
  phones: [{ value: '021 555 0101', label: null, region: 'ZA', normalized: '+27215550101', uncertainty: null }],
  address: { ...noAddress, city: 'Beaufort West' },
  tags: ['solar'],
  assignee: { id: 'u1', name: 'Ama' },
})

describe('the request body', () => {
  test('a blank form sends only its name and empty lists', () => {
    const values = { ...emptyValues(), name: 'Karoo Solar' }
    expect(createBody(values)).toEqual({ name: 'Karoo Solar', emails: [], phones: [], domains: [], tags: [] })
  })

  test('values are sent exactly as typed', () => {
    const values = { ...emptyValues(), name: 'Karoo  Solar ', emails: [{ ...emptyRow(), value: ' Info@Karoo.co.za' }] }
    expect(createBody(values)).toMatchObject({ name: 'Karoo  Solar ', emails: [{ value: ' Info@Karoo.co.za' }] })
  })

  test('a region is sent with phones only', () => {
    const row = { ...emptyRow(), value: 'x', region: 'ZA' }
    const body = createBody({ ...emptyValues(), name: 'K', emails: [row], phones: [row] })
    expect(body.emails).toEqual([{ value: 'x' }])
    expect(body.phones).toEqual([{ value: 'x', region: 'ZA' }])
  })

  test('an edit sends only changed fields, and null for a cleared one', () => {
    const from = valuesFrom(business)
    expect(patchBody(from, from)).toEqual({})
    expect(patchBody(from, { ...from, name: 'Karoo Sun', registrationNumber: ' ' })).toEqual({
      name: 'Karoo Sun',
      registrationNumber: null,
    })
  })

  test('an address is sent completely if a part of it changed', () => {
    const from = valuesFrom(business)
    expect(patchBody(from, { ...from, address: { ...from.address, province: 'Western Cape' } })).toEqual({
      address: {
        street: null,
        suburb: null,
        city: 'Beaufort West',
        province: 'Western Cape',
        postalCode: null,
        country: null,
      },
    })
  })

  test('an added blank row is no change', () => {
    const from = valuesFrom(business)
    expect(isUnchanged(from, { ...from, emails: [...from.emails, emptyRow()] })).toBe(true)
  })

  test('a record loaded into the form and sent back is unchanged', () => {
    const body = createBody(valuesFrom(business))
    expect(body).toEqual({
      name: 'Karoo Solar',
      registrationNumber: '2015/123456/07',
      emails: [{ value: ' Info@Karoo.co.za', label: 'sales' }],
      phones: [{ value: '021 555 0101', region: 'ZA' }],
      domains: [],
      address: { city: 'Beaufort West' },
      tags: ['solar'],
      assigneeId: 'u1',
    })
  })
})

describe('the field of a server error', () => {
  const values = { ...emptyValues(), emails: [emptyRow(), { ...emptyRow(), value: 'nope' }] }

  test('a row is found even if a blank one before it was not sent', () => {
    expect(formPath('emails.0.value', values)).toBe('emails.1.value')
    expect(formPath('emails.0', values)).toBe('emails.1.value')
  })

  test('other paths are unchanged', () => {
    expect(formPath('address.city', values)).toBe('address.city')
    expect(formPath('emails', values)).toBe('emails')
  })

  test('a path without an input is recognised, so that its message is shown above the form', () => {
    expect(hasInput('name', values)).toBe(true)
    expect(hasInput('emails.1.value', values)).toBe(true)
    expect(hasInput('emails.7.value', values)).toBe(false)
    expect(hasInput('emails', values)).toBe(false)
    expect(hasInput('tags', values)).toBe(true)
    expect(hasInput('tags.2', values)).toBe(false)
    expect(hasInput('', values)).toBe(false)
  })
})

test('a trading name is enough; the unknown registered name is not sent, and its field stays empty', () => {
  const values = { ...emptyValues(), tradingName: 'Karoo Pumps' }
  expect(missingIn(values)).toEqual({})
  expect(createBody(values)).not.toHaveProperty('name')
  expect(missingIn(emptyValues())).toEqual({ name: 'Enter a registered name or a trading name.' })
  const stored = valuesFrom({ ...business, name: 'Karoo Pumps', tradingName: 'Karoo Pumps', isNameKnown: false })
  expect(stored.name).toBe('')
  expect(patchBody(stored, { ...stored, industry: 'Pumps' })).toEqual({ industry: 'Pumps' })
})
