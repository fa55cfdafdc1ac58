/**
 * Front door of the assistance room. Other rooms read the current state of a suggestion. The room writes no rows of other rooms, and a suggestion is
 * never evidence.
 */
import type { Kysely } from 'kysely'
import type { LoadedAdapters } from '../../load-adapters.ts'
import type { Database } from '../../store/database.ts'
import type { AssistPurpose, SuggestionState } from './assist.table.ts'
import { BUDGET_LIMITS, REASON_LENGTH } from './bounds.ts'
import { createStateReader, providerVersionOf } from './suggestions/suggestion-state.ts'
import { findStored } from './suggestions/suggestions.queries.ts'

export type CurrentSuggestion = {
  id: string
  businessId: string
  purpose: AssistPurpose
  /** computed as of `at` */
  state: SuggestionState
  /** the claims, one a line; empty without a result */
  text: string
  citations: { evidenceId: string; evidenceHash: string; quote: string }[]
  /** null before there is a result. Another source, contract, adapter, model or ADAPTERS_FILE changes it. */
  providerVersion: string | null
  /** the version of the assistance policy; null before there is a result */
  policyVersion: number | null
  approvedAt: string | null
}

/**
 * A suggestion as it stands at this moment: `approved` only while its evidence, policy, source and business are unchanged. `at` and
 * `adapters`: the time of the change, and the loaded adapters, on which the state depends. Undefined: no such suggestion in this tenant.
 */
export async function currentSuggestion(
  db: Kysely<Database>,
  tenantId: string,
  suggestionId: string,
  { at, adapters }: { at: string; adapters: LoadedAdapters },
): Promise<CurrentSuggestion | undefined> {
  const stored = await findStored(db, { tenantId, id: suggestionId })
  if (stored === undefined) return undefined
  const { state } = await createStateReader({ db, tenantId, at, adapters })(stored)
  const { id, businessId, purpose, claims, versions, decision } = stored
  return {
    id,
    businessId,
    purpose,
    state,
    text: claims.map(({ text }) => text).join('\n'),
    citations: claims.flatMap(({ citations }) =>
      citations.flatMap(({ evidenceId, hash: evidenceHash, quotes }) =>
        quotes.map((quote) => ({ evidenceId, evidenceHash, quote })),
      ),
    ),
    providerVersion: versions === null ? null : providerVersionOf(versions),
    policyVersion: versions?.policy ?? null,
    approvedAt: state === 'approved' ? (decision?.at ?? null) : null,
  }
}

export { suggestionStates } from './assist.table.ts'
/** In exactly these words on every suggestion, and on every text that started as one. */
export { SUGGESTION_LABEL } from './suggestions/suggestions.schema.ts'

/** Bounds of a correction, for the command that reads it. */
export const CORRECTION_LIMITS = { ...BUDGET_LIMITS, reason: REASON_LENGTH } as const

export { correctBudgetByOperator } from './budgets/budgets.ts'
export { tryProvider } from './trial/try-provider.ts'
