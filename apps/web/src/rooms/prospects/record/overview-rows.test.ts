import type { Business, Fact } from '@prospect/api-client'
import { describe, expect, test } from 'vitest'
import { businessOf, noAddress } from '../../../../test/business.ts'
import { doubtWords, overviewGroups } from './overview-rows.ts'

const business = businessOf({
  createdBy: { kind: 'system', name: 'System' },
  emails: [
    { value: 'Info@karoo.example', label: 'sales', normalized: 'info@karoo.example', uncertainty: null },
    { value: 'b@karoo.example', label: null, normalized: 'b@karoo.example', uncertainty: null },
  ],
  phones: [{ value: '021 555 0101', label: null, region: null, normalized: null, uncertainty: 'no_country_context' }],
  address: { ...noAddress, city: 'Beaufort West' },
})

const supported: Fact = {
  field: 'email',
  value: 'b@karoo.example',
  standing: 'supported',
  doubts: [],
  supporting: 1,
  contradicting: 0,
  undecided: 0,
  newestCounted: null,
  evidence: [],
}

describe('the overview of a record', () => {
  const rows = overviewGroups(business, [supported]).flatMap((group) => group.rows)
  const row = (key: string) => rows.find((one) => one.key === key)

  test('an unknown value has a row that says so', () => {
    expect(row('tradingName')?.value).toBeNull()
    expect(row('domain-0')?.value).toBeNull()
    expect(rows.filter((one) => one.field.startsWith('address.'))).toHaveLength(6)
  })

  test('each identifier has a row with its own evidence', () => {
    expect(row('email-0')?.fact).toBeUndefined()
    expect(row('email-1')?.fact).toBe(supported)
  })

  test('an identifier shows its normalized form only if that differs from what was typed', () => {
    expect(row('email-0')?.readAs).toBe('info@karoo.example')
    expect(row('email-1')?.readAs).toBeNull()
  })

  test('uncertainties have texts, known or not', () => {
    expect(row('phone-0')?.doubt).toMatch(/No country set/)
    expect(doubtWords('invalid_phone_number', 'a valid phone number', 'ZA')).toMatch(
      /^Not a valid phone number in South Africa\./,
    )
    expect(doubtWords('mixed_script', 'a valid web domain')).toBe('May not be a valid web domain: mixed script')
  })
})

describe('doubts about the place', () => {
  const doubt = (field: 'address.city' | 'address.postalCode', text: string) => ({
    ...({ kind: 'city_in_several_provinces', version: 'identifiers-9' } as const),
    field,
    text,
  })
  const doubtsOf = (more: Partial<Business>) =>
    overviewGroups(businessOf(more), [])
      .flatMap((group) => group.rows)
      .filter((row) => row.doubt !== null)
      .map(({ key, doubt }) => [key, doubt])

  test('each part shows its own', () => {
    const placeDoubts = [
      doubt('address.city', 'One'),
      doubt('address.city', 'Two'),
      doubt('address.postalCode', 'Three'),
    ]
    expect(doubtsOf({ address: { ...noAddress, city: 'Durban', postalCode: '2000' }, placeDoubts })).toEqual([
      ['address.city', 'One. Two.'],
      ['address.postalCode', 'Three.'],
    ])
  })
})
