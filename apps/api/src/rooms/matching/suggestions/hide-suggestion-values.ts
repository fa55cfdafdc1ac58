import type { Actor } from '../../../lib/actor.ts'
import { forReader } from '../../businesses/businesses.ts'
import { HIDDEN, hidesValuesFrom } from '../../suppression/suppression.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'

/** Reasons and conflicts in these fields hold contact values, in words. */
const contactFields = ['email', 'phone', 'domain', 'emails', 'phones', 'domains']

function hideIn<T extends { field: string; text: string }>(said: readonly T[]): T[] {
  return said.map((one) => (contactFields.includes(one.field) ? { ...one, text: HIDDEN } : one))
}

/** A pair as this person may see it: without contact values where one of the two is do not contact and they are not for them. */
export function summaryForReader(actor: Actor, summary: SuggestionSummary): SuggestionSummary {
  const isHidden = summary.businesses.some((business) => hidesValuesFrom(actor, business))
  return isHidden ? { ...summary, reasons: hideIn(summary.reasons) } : summary
}

/** The same for one suggestion; what both share is hidden with either. */
export function suggestionForReader(actor: Actor, suggestion: Suggestion): Suggestion {
  const businesses = suggestion.businesses.map((business) => forReader(actor, business))
  if (!businesses.some(({ valuesHidden }) => valuesHidden)) return suggestion
  const hidden = (values: readonly string[]) => values.map(() => HIDDEN)
  return {
    ...suggestion,
    businesses,
    reasons: hideIn(suggestion.reasons),
    canonical: suggestion.canonical.map((one) => ({
      ...one,
      phones: hidden(one.phones),
      emails: hidden(one.emails),
      domains: hidden(one.domains),
      doubts: hidden(one.doubts),
    })),
    conflicts: suggestion.conflicts.map((one) =>
      contactFields.includes(one.field) ? { ...one, values: hidden(one.values), text: HIDDEN } : one,
    ),
  }
}
