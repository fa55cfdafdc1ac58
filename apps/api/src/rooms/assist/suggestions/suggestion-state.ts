import { fingerprint } from '../../../lib/hashing.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { type Business, getBusiness } from '../../businesses/businesses.ts'
import { contentHashOf, findEvidenceOf } from '../../evidence/evidence.ts'
import { findSourceState, type NamedSource, type RegistryView } from '../../sources/sources.ts'
import type { SuggestionState } from '../assist.table.ts'
import { APPROVAL_DAYS, daysLater, PROMPT_VERSION, PROPOSAL_DAYS, REDACTION_VERSION } from '../bounds.ts'
import { findApproved } from '../policies/policies.queries.ts'
import { detailsOf } from '../status/read-status.ts'
import type { EvidenceRef, StoredSuggestion } from './suggestions.queries.ts'
import type { Versions } from './suggestions.schema.ts'

/*
 * The state of a suggestion now (specification, Phase 13 §4): a proposal or an approval ends as soon as its evidence, its policy, its source
 * or its business changes, whether or not the follower has stored that yet.
 */

export type StateNow = {
  state: SuggestionState
  reason: { code: string; since: string | null; subject: string | null } | null
}

/** Computes states as of one moment; the policy and the sources are read once. `businesses`: those that are read already. */
export function createStateReader(
  view: RegistryView,
  businesses: ReadonlyMap<string, Business> = new Map(),
): (stored: StoredSuggestion) => Promise<StateNow> {
  const { db, tenantId, at } = view
  let policy: ReturnType<typeof findApproved> | undefined
  const sources = new Map<string, Promise<NamedSource | undefined>>()
  const sourceOf = (id: string) => {
    const known = sources.get(id) ?? findSourceState(view, id)
    sources.set(id, known)
    return known
  }

  return async (stored) => {
    const { state, stateReason: reason } = stored
    if (state !== 'proposed' && state !== 'approved') return { state, reason }
    const end = endOf(stored)
    if (end !== null && end <= at)
      return { state: 'expired', reason: { code: `${state}_too_long`, since: end, subject: null } }
    const cause = await causeOf(stored)
    return cause === undefined ? { state, reason } : { state: 'invalidated', reason: { ...cause, since: null } }
  }

  async function causeOf(stored: StoredSuggestion): Promise<{ code: string; subject: string | null } | undefined> {
    const { businessId, evidence, policyId, sourceId, versions } = stored
    const business = businesses.get(businessId) ?? (await getBusiness(db, tenantId, businessId))
    if (business.status !== 'active') return { code: 'business_not_active', subject: businessId }
    if (business.doNotContact !== null) return { code: 'do_not_contact', subject: businessId }
    const changed = await changedEvidence(view, businessId, evidence)
    if (changed !== undefined) return changed
    policy ??= findApproved(db, tenantId, at)
    const approved = await policy
    if (approved?.id !== policyId || approved.state !== 'approved') return { code: 'policy_changed', subject: policyId }
    const source = sourceId === null ? undefined : await sourceOf(sourceId)
    if (source?.status !== 'enabled') return { code: 'source_not_enabled', subject: sourceId }
    const now = versionsOf(source, view.adapters, approved.version)
    if (versions === null || now === undefined || fingerprint(now) !== fingerprint(versions))
      return { code: 'source_changed', subject: sourceId }
    return undefined
  }
}

function endOf({ state, proposedAt, decision }: StoredSuggestion): string | null {
  if (state === 'proposed') return proposedAt === null ? null : daysLater(proposedAt, PROPOSAL_DAYS)
  return decision === null ? null : daysLater(decision.at, APPROVAL_DAYS)
}

/** The first observation that is gone, has another content, or was superseded. */
export async function changedEvidence(
  { db, tenantId }: Pick<RegistryView, 'db' | 'tenantId'>,
  businessId: string,
  refs: readonly EvidenceRef[],
): Promise<{ code: 'evidence_changed' | 'evidence_superseded'; subject: string } | undefined> {
  const rows = await findEvidenceOf(
    db,
    tenantId,
    businessId,
    refs.map(({ evidenceId }) => evidenceId),
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const { evidenceId, hash } of refs) {
    const row = found.get(evidenceId)
    if (row === undefined || contentHashOf(row) !== hash) return { code: 'evidence_changed', subject: evidenceId }
    if (row.supersededById !== null) return { code: 'evidence_superseded', subject: evidenceId }
  }
  return undefined
}

/** Returns the versions to which a result is bound; undefined while the adapter is not loaded. */
export function versionsOf(source: NamedSource, { file }: LoadedAdapters, policy: number): Versions | undefined {
  const details = detailsOf(source)
  if (details === undefined) return undefined
  return {
    provider: `${source.sourceId}@${source.contractVersion}`,
    adapter: `${source.adapter.id} ${source.adapter.version}`,
    model: details.model,
    adaptersFile: file?.sha256 ?? null,
    policy,
    redaction: REDACTION_VERSION,
    prompt: PROMPT_VERSION,
  }
}

/** One value for the versions of the provider: another source, contract, adapter, model or ADAPTERS_FILE changes it. */
export function providerVersionOf({ provider, adapter, model, adaptersFile }: Versions): string {
  return fingerprint({ provider, adapter, model, adaptersFile })
}
