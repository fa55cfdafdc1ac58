import { actorKey } from '../../../lib/actor.ts'
import { fingerprint as hashOf } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { isBlockedAbove } from '../../businesses/businesses.ts'
import { type ContactValue, gate } from '../../contact-gate/contact-gate.ts'
import { NORMALIZATION_VERSION, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import type { CandidateState, CandidateStateTable } from '../domains.table.ts'
import { insertDomainName } from '../names/domain-names.queries.ts'
import {
  insertCandidate,
  insertState,
  type KeptCandidate,
  selectCandidatesOf,
  updateState,
} from './candidates.queries.ts'
import { readEvaluation } from './candidates.schema.ts'
import {
  ALGORITHM_VERSION,
  type Evaluated,
  evaluate,
  evidenceOf,
  type Support,
  withoutCounts,
} from './evaluate.rules.ts'
import { type ReadRecord, readRecords, selectNamesakes } from './facts.queries.ts'
import { readSurroundings } from './surroundings.ts'
import { labelOfName, supportsOf, usesOf, writtenHostIn } from './wanted.rules.ts'

/*
 * Derives the candidates of records again (specification, Phase 7 §5). Decisions are kept. After a rejection or withdrawal, a new candidate that
 * refers to the old one is opened only if the evidence changed.
 */

export type Refreshed = { opened: number; updated: number; superseded: number }

/**
 * Refreshes the candidates of the given records. Writes nothing for records without a change. Returns how many candidates were opened, updated and
 * superseded. `moved` receives the domains whose number of open candidates changed.
 */
export async function refreshCandidates(tx: Tx, ids: readonly string[], moved: Set<string>): Promise<Refreshed> {
  const { tenantId } = tx.actor
  const refreshed: Refreshed = { opened: 0, updated: 0, superseded: 0 }
  const records = await readRecords(tx.db, tenantId, ids)
  const labels = records.flatMap(({ facts }) => labelOfName(facts.name) ?? [])
  const namesakes = await selectNamesakes(tx.db, tenantId, labels)
  const kept = Map.groupBy(await selectCandidatesOf(tx.db, { tenantId, ids }), ({ root }) => root)
  const wanted = records.map((record) => ({ record, ...wantedOf(record, namesakes, kept.get(record.id) ?? []) }))
  const suppressed = await suppressedIn(
    tx,
    wanted.flatMap(({ supports }) => [...supports.keys()]),
  )
  for (const { record, supports, candidates } of wanted) {
    for (const [domain, reasons] of supports) {
      const opened = refreshed.opened
      await keep(tx, record, { domain, supports: reasons, candidates, isSuppressed: suppressed.has(domain) }, refreshed)
      if (refreshed.opened > opened) moved.add(domain)
    }
    for (const candidate of candidates)
      if (candidate.state === 'open' && candidate.business_id === record.id && !supports.has(candidate.domain)) {
        await updateState(tx.db, tenantId, candidate.id, { state: 'superseded', evaluated_at: tx.at })
        refreshed.superseded += 1
        moved.add(candidate.domain)
      }
  }
  return refreshed
}

/** Returns the domains of a record that need a candidate, each with its supporting evidence, including domains that people proposed. */
export function wantedOf(
  { id, status, facts }: ReadRecord,
  namesakes: ReadonlyMap<string, readonly string[]>,
  candidates: readonly KeptCandidate[],
): { supports: Map<string, Support[]>; candidates: readonly KeptCandidate[] } {
  const label = labelOfName(facts.name)
  const supports = supportsOf(facts, label === null ? [] : (namesakes.get(label) ?? []))
  const uses = usesOf(facts)
  for (const { state, origin, domain, reason, created_at: at, business_id: businessId } of candidates) {
    const isProposed = state === 'open' && origin === 'person' && reason !== null && businessId === id
    if (!isProposed || status !== 'active' || uses.get(domain)?.byRecord === true) continue
    supports.set(domain, [...(supports.get(domain) ?? []), { code: 'person', reason, at }])
  }
  return { supports, candidates }
}

/** Returns those of the domains that are suppressed. An error of the gate aborts the change, so that no candidate is written unchecked. */
async function suppressedIn(tx: Tx, domains: readonly string[]): Promise<Set<string>> {
  const values: ContactValue[] = [...new Set(domains)].map((value) => ({ kind: 'domain', value }))
  const matches = await gate(tx, tx.actor.tenantId, values)
  return new Set(matches.flatMap(({ index }) => values[index]?.value ?? []))
}

type Wanted = {
  domain: string
  supports: readonly Support[]
  candidates: readonly KeptCandidate[]
  isSuppressed: boolean
}

async function keep(tx: Tx, record: ReadRecord, wanted: Wanted, refreshed: Refreshed): Promise<void> {
  const { tenantId } = tx.actor
  const { domain, supports, isSuppressed } = wanted
  const ofDomain = wanted.candidates.filter((one) => one.domain === domain)
  if (ofDomain.some(({ state }) => state === 'accepted')) return
  const doNotContact = isSuppressed || (await isBlockedAbove(tx.db, tenantId, record.id))
  const key = { tenantId, businessId: record.id, domain }
  const around = await readSurroundings(tx.db, key, { doNotContact, now: new Date(tx.at) })
  const evaluated = evaluate(supports, around)
  const open = ofDomain.find(({ state, business_id: id }) => state === 'open' && id === record.id)
  if (open !== undefined) {
    if (isSame(open, evaluated)) return
    await updateState(tx.db, tenantId, open.id, evaluationColumns(evaluated, tx.at))
    refreshed.updated += 1
    return
  }
  const decided = ofDomain.find(({ state }) => state === 'rejected' || state === 'withdrawn')
  if (decided !== undefined && evidenceOf(decided.fingerprint) === evidenceOf(evaluated.fingerprint)) return
  await openCandidate(
    tx,
    { businessId: record.id, domain, host: writtenHostIn(supports), reason: null, previousId: ofDomain[0]?.id ?? null },
    evaluated,
  )
  refreshed.opened += 1
}

/** A number of other records alone is no change: one more record with the domain would otherwise write all candidates for it. Reads evaluate again. */
function isSame(kept: KeptCandidate, { fingerprint, evaluation, band, dueAt }: Evaluated): boolean {
  return (
    kept.fingerprint === fingerprint &&
    kept.band === band &&
    kept.due_at === dueAt &&
    hashOf(withoutCounts(readEvaluation(kept.evaluation))) === hashOf(withoutCounts(evaluation)) &&
    kept.suffix_list_version === SUFFIX_LIST_VERSION &&
    kept.algorithm_version === ALGORITHM_VERSION
  )
}

type EvaluationColumns = Pick<
  CandidateStateTable,
  | 'band'
  | 'evaluation'
  | 'fingerprint'
  | 'algorithm_version'
  | 'normalization_version'
  | 'suffix_list_version'
  | 'evaluated_at'
  | 'due_at'
>

export function evaluationColumns({ evaluation, band, fingerprint, dueAt }: Evaluated, at: string): EvaluationColumns {
  return {
    band,
    evaluation: JSON.stringify(evaluation),
    fingerprint,
    algorithm_version: ALGORITHM_VERSION,
    normalization_version: NORMALIZATION_VERSION,
    suffix_list_version: SUFFIX_LIST_VERSION,
    evaluated_at: at,
    due_at: dueAt,
  }
}

/** Inserts an open candidate. `host`: as it was typed or claimed. `reason`: the text of the person who proposed it. */
export async function openCandidate(
  tx: Tx,
  made: { businessId: string; domain: string; host: string | null; reason: string | null; previousId: string | null },
  evaluated: Evaluated,
): Promise<string> {
  const { tenantId } = tx.actor
  const { businessId, domain, host, reason, previousId } = made
  const id = newId()
  const state: CandidateState = 'open'
  await insertDomainName(tx.db, tenantId, domain)
  await insertCandidate(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    domain,
    origin: reason === null ? 'derived' : 'person',
    reason,
    previous_id: previousId,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    host,
  })
  await insertState(tx.db, {
    tenant_id: tenantId,
    candidate_id: id,
    domain,
    state,
    ...evaluationColumns(evaluated, tx.at),
    decided_at: null,
    decided_by: null,
    decision_reason: null,
    withdrawn_at: null,
    withdrawn_by: null,
    withdrawal_reason: null,
  })
  return id
}
