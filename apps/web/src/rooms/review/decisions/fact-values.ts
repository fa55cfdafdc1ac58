import type { Business, EvidenceField } from '@prospect/api-client'
import { factFields } from '../../../ui/text/field-names.ts'

/** Facts of a record with their values, in display order. */
export function factValues(business: Business): { field: EvidenceField; value: string }[] {
  const { address } = business
  const values: Partial<Record<EvidenceField, string | null>> = {
    name: business.name,
    tradingName: business.tradingName,
    registrationNumber: business.registrationNumber,
    industry: business.industry,
    email: valuesOf(business.emails),
    phone: valuesOf(business.phones),
    domain: valuesOf(business.domains),
    'address.street': address.street,
    'address.suburb': address.suburb,
    'address.city': address.city,
    'address.province': address.province,
    'address.postalCode': address.postalCode,
    'address.country': address.country,
  }
  return factFields.flatMap((field) => {
    const value = values[field]
    return value === null || value === undefined || value === '' ? [] : [{ field, value }]
  })
}

const valuesOf = (identifiers: Business['emails']) => identifiers.map(({ value }) => value).join(', ')
