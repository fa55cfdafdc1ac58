import type { Business, EvidenceField } from '@prospect/api-client'
import { addressParts, contactFacts, factFields, facts, factText, plainFacts } from '../../../ui/text/facts.ts'
import { phoneText } from '../../../ui/text/format.ts'

/** Facts of a record with their values, in display order. */
export function factValues(business: Business): { field: EvidenceField; value: string }[] {
  const values: Partial<Record<EvidenceField, string | null>> = Object.fromEntries([
    ...plainFacts.map((field) => [field, factText(business[field])]),
    ...contactFacts.map((field) => [field, valuesOf(business[facts[field].list])]),
    ...addressParts.map((part) => [`address.${part}`, business.address[part]]),
  ])
  return factFields.flatMap((field) => {
    const value = values[field]
    return value === null || value === undefined || value === '' ? [] : [{ field, value }]
  })
}

const valuesOf = (identifiers: Business['emails']) =>
  identifiers.map(({ value, normalized }) => phoneText(normalized ?? value)).join(', ')
