import type { Kysely } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import { forReader, hidesWordsAbout, reasonForReader } from '../../businesses/businesses.ts'
import { HIDDEN, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'
import { getPair } from './suggestions.queries.ts'

/** Fields whose reasons and conflicts can contain contact values. */
const contactFields = ['email', 'phone', 'domain', 'emails', 'phones', 'domains']

function hideIn<T extends { field: string; text: string }>(said: readonly T[]): T[] {
  return said.map((one) => (contactFields.includes(one.field) ? { ...one, text: HIDDEN } : one))
}

/**
 * Returns a suggestion as this reader may see it: without contact values if one of its records is do not contact and the reader has no permission for
 * them.
 */
export function summaryForReader(actor: Actor, summary: SuggestionSummary): SuggestionSummary {
  const isHidden = summary.businesses.some((business) => hidesValuesFrom(actor, business))
  return isHidden ? { ...summary, reasons: hideIn(summary.reasons) } : summary
}

/**
 * Returns one suggestion as this reader may see it. Shared values and the reasons of decisions are hidden if either record is do not contact. The
 * last rejection can belong to a record that was merged since, so a block of that record hides them too.
 */
export async function suggestionForReader(
  db: Kysely<Database>,
  actor: Actor,
  suggestion: Suggestion,
): Promise<Suggestion> {
  const { decision } = suggestion
  const businesses = suggestion.businesses.map((business) => forReader(actor, business))
  const isHidden = businesses.some(({ valuesHidden }) => valuesHidden)
  const renews = await renewedForReader(db, actor, suggestion.renews, { isHidden })
  if (!isHidden) return { ...suggestion, renews }
  const hidden = (values: readonly string[]) => values.map(() => HIDDEN)
  return {
    ...suggestion,
    businesses,
    renews,
    decision: decision && { ...decision, reason: reasonForReader(decision.reason, { isHidden }) },
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

async function renewedForReader(
  db: Kysely<Database>,
  actor: Actor,
  renews: Suggestion['renews'],
  pair: { isHidden: boolean },
): Promise<Suggestion['renews']> {
  if (renews === null) return null
  const isHidden = pair.isHidden || (await hidesWordsAbout(db, actor, await getPair(db, actor.tenantId, renews.id)))
  return { ...renews, reason: reasonForReader(renews.reason, { isHidden }) }
}
