import { daysAfter } from '../../../lib/clock.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { type Business, findBusinesses, getBusiness } from '../../businesses/businesses.ts'
import { contentHashOf, type Evidence, findEvidenceOf, findEvidenceOfEach } from '../../evidence/evidence.ts'
import { findSourceState, type NamedSource, type RegistryView } from '../../sources/sources.ts'
import type { SuggestionState } from '../assist.table.ts'
import { APPROVAL_DAYS, PROMPT_VERSION, PROPOSAL_DAYS, REDACTION_VERSION } from '../bounds.ts'
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

/** Rows that are read once for a page of suggestions. `evidence`: by business, the observations that its suggestions cite. */
type PageReads = { businesses: ReadonlyMap<string, Business>; evidence: ReadonlyMap<string, readonly Evidence[]> }

/** Returns the suggestions of a page, each with its state. */
export async function readStates(
  view: RegistryView,
  page: readonly StoredSuggestion[],
): Promise<{ stored: StoredSuggestion; now: StateNow }[]> {
  const { db, tenantId } = view
  const live = Map.groupBy(page.filter(isLive), ({ businessId }) => businessId)
  const cited = new Map([...live].map(([id, some]) => [id, [...new Set(some.flatMap(idsOfEvidence))]]))
  const stateOf = createStateReader(view, {
    businesses: await findBusinesses(db, tenantId, live.keys()),
    evidence: await findEvidenceOfEach(db, tenantId, cited),
  })
  const found: { stored: StoredSuggestion; now: StateNow }[] = []
  for (const stored of page) found.push({ stored, now: await stateOf(stored) })
  return found
}

/** Computes states as of one moment; the policy and the sources are read once. `reads`: what is read already. */
export function createStateReader(
  view: RegistryView,
  reads?: PageReads,
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
    if (!isLive(stored)) return { state, reason }
    const end = endOf(stored)
    if (end !== null && end <= at)
      return { state: 'expired', reason: { code: `${state}_too_long`, since: end, subject: null } }
    const cause = await causeOf(stored)
    return cause === undefined ? { state, reason } : { state: 'invalidated', reason: { ...cause, since: null } }
  }

  async function causeOf(stored: StoredSuggestion): Promise<{ code: string; subject: string | null } | undefined> {
    const { businessId, evidence, policyId, sourceId, versions } = stored
    const business = reads?.businesses.get(businessId) ?? (await getBusiness(db, tenantId, businessId))
    if (business.status !== 'active') return { code: 'business_not_active', subject: businessId }
    if (business.doNotContact !== null) return { code: 'do_not_contact', subject: businessId }
    const changed =
      reads === undefined
        ? await changedEvidence(view, businessId, evidence)
        : changeOf(evidence, reads.evidence.get(businessId) ?? [])
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

function isLive({ state }: StoredSuggestion): boolean {
  return state === 'proposed' || state === 'approved'
}

function idsOfEvidence({ evidence }: Pick<StoredSuggestion, 'evidence'>): string[] {
  return evidence.map(({ evidenceId }) => evidenceId)
}

function endOf({ state, proposedAt, decision }: StoredSuggestion): string | null {
  if (state === 'proposed') return proposedAt === null ? null : daysAfter(proposedAt, PROPOSAL_DAYS)
  return decision === null ? null : daysAfter(decision.at, APPROVAL_DAYS)
}

type EvidenceChange = { code: 'evidence_changed' | 'evidence_superseded'; subject: string }

/** The first observation that is gone, has another content, or was superseded. */
export async function changedEvidence(
  { db, tenantId }: Pick<RegistryView, 'db' | 'tenantId'>,
  businessId: string,
  evidence: EvidenceRef[],
): Promise<EvidenceChange | undefined> {
  return changeOf(evidence, await findEvidenceOf(db, tenantId, businessId, idsOfEvidence({ evidence })))
}

function changeOf(refs: readonly EvidenceRef[], rows: readonly Evidence[]): EvidenceChange | undefined {
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
