import type { Kysely } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import { forReader, hidesWordsAbout, reasonForReader } from '../../businesses/businesses.ts'
import {
  type ContactValue,
  findHiddenValues,
  type GateReader,
  HIDDEN,
  hidesValuesFrom,
} from '../../contact-gate/contact-gate.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'
import { getPair } from './suggestions.queries.ts'

/** Fields whose reasons and conflicts can contain contact values. */
const contactFields = ['email', 'phone', 'domain', 'emails', 'phones', 'domains']

function hideIn<T extends { field: string; text: string }>(said: readonly T[]): T[] {
  return said.map((one) => (contactFields.includes(one.field) ? { ...one, text: HIDDEN } : one))
}

/** Returns the values in reasons and conflicts that can be contact values. */
function contactsIn(said: readonly { field: string; text: string }[]): ContactValue[] {
  return said.flatMap(({ field, text }) => (contactFields.includes(field) ? [{ kind: 'domain', value: text }] : []))
}

/** Returns the contact values that were compared. The records may have lost them since, so that an entry for one marks neither. */
function comparedValues({ reasons, conflicts, canonical }: Suggestion): ContactValue[] {
  const compared = canonical.flatMap(({ phones, emails, domains, doubts }): ContactValue[] => [
    ...phones.map((value) => ({ kind: 'phone' as const, value })),
    ...emails.map((value) => ({ kind: 'email' as const, value })),
    ...[...domains, ...doubts].map((value) => ({ kind: 'domain' as const, value })),
  ])
  return [...compared, ...contactsIn(reasons), ...contactsIn(conflicts)]
}

/**
 * Returns suggestions as this reader may see them: without contact values if one of the records is do not contact, or an entry matches one of the
 * values, and the reader has no permission for them.
 */
export async function summariesForReader(
  asker: GateReader,
  actor: Actor,
  summaries: readonly SuggestionSummary[],
): Promise<SuggestionSummary[]> {
  const contacts = summaries.flatMap((summary) => contactsIn(summary.reasons).map((value) => ({ ...value, summary })))
  const found = await findHiddenValues(asker, actor, contacts)
  const suppressed = new Set(contacts.flatMap(({ summary }, at) => (found.has(at) ? [summary] : [])))
  return summaries.map((summary) => {
    const isHidden = suppressed.has(summary) || summary.businesses.some((one) => hidesValuesFrom(actor, one))
    return isHidden ? { ...summary, reasons: hideIn(summary.reasons) } : summary
  })
}

/**
 * Returns one suggestion as this reader may see it. Shared values and the reasons of decisions are hidden if either record is do not contact, or an
 * entry matches one of the values. The last rejection can belong to a record that was merged since, so a block of that record hides them too.
 */
export async function suggestionForReader(
  asker: GateReader,
  actor: Actor,
  suggestion: Suggestion,
): Promise<Suggestion> {
  const { decision } = suggestion
  const businesses = suggestion.businesses.map((business) => forReader(actor, business))
  const isSuppressed = (await findHiddenValues(asker, actor, comparedValues(suggestion))).size > 0
  const isHidden = isSuppressed || businesses.some(({ valuesHidden }) => valuesHidden)
  const renews = await renewedForReader(asker.db, actor, suggestion.renews, { isHidden })
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
