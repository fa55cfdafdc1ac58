import { type DnsQuery, dnsAnswerSchema, dnsTraceSchema } from '@prospect/adapter-contract/dns'
import { type Actor, actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { type AuditEntry, type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { readBack } from '../../audit/audit.ts'
import { createJob, type JobKind } from '../../jobs/jobs.ts'
import { NORMALIZATION_VERSION, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import { acceptQuery, definePurpose, findUsableSource } from '../../sources/sources.ts'
import type { DnsKind, DnsObservationTable } from '../domains.table.ts'
import { insertDomainName } from '../names/domain-names.queries.ts'
import { type HeldName, requireOwnerName } from '../names/require-domain.ts'
import { findCached, putCached } from './cache.ts'
import type { Check, CheckRequest } from './dns.schema.ts'
import { findObservationRows, getObservationRow, insertObservation, updateObservation } from './observations.queries.ts'
import { isSuppressed, toObservations } from './observations.ts'
import { type CheckOutcome, completionOf } from './outcomes.rules.ts'

/*
 * DNS checks through a source (specification, Phase 7 §2 to §5). Accepting a check inserts pending observations, each of which is completed once.
 * Without a usable source the check sends and stores nothing.
 */

/** Purpose of the domains room's requests: one question about one name and one record type. */
export const dnsPurpose = definePurpose({
  name: 'dns',
  permission: 'domains.check',
  record: dnsAnswerSchema,
  trace: dnsTraceSchema,
})

export function questionOf(name: string, kind: DnsKind): DnsQuery {
  return { name, kind, over: 'udp' }
}

/**
 * An accepted check. `observationIds`: observations that need no question, because they are cached or the policy blocks the name. `jobId`: the job
 * that sends the remaining questions. `eventId`: the audit event, which has the reason in words if the check was refused.
 */
export type RequestedCheck = {
  jobId: string | null
  observationIds: string[]
  outcome: Pick<Check, 'outcome' | 'reason' | 'until'>
  eventId: string
}

const answered = { outcome: 'answered', reason: null, until: null } as const

/** Accepts a check: inserts its observations and queues the job. Errors: `domain_not_resolvable`, `queue_full`. */
export async function requestCheck(
  tx: Tx,
  adapters: LoadedAdapters,
  job: JobKind<{ observationIds: string[] }>,
  { name: typed, kinds }: CheckRequest,
): Promise<RequestedCheck> {
  const held = requireOwnerName(typed, 'name')
  const [kind = 'MX'] = kinds
  if (await isSuppressed(tx, tx.actor.tenantId, held.domain))
    return refused(tx, kinds, { outcome: 'unavailable', reason: 'do_not_contact' })
  const found = await findUsableSource(tx, adapters, dnsPurpose, questionOf(held.name, kind))
  const { source, refusal } = found
  if (source === null) return refused(tx, kinds, refusal)
  if (refusal !== null) {
    if (refusal.reason === 'query_refused') return blocked(tx, held, kinds, source)
    return refused(tx, kinds, refusal)
  }
  const cached: string[] = []
  const toAsk: { id: string; kind: DnsKind }[] = []
  for (const one of kinds) {
    const known = await findCached(tx, { name: held.name, kind: one, policyVersion: source.policyVersion })
    if (known === undefined) toAsk.push({ id: newId(), kind: one })
    else cached.push(known)
  }
  const pending = toAsk.map(({ id }) => id)
  const jobId =
    pending.length === 0 ? null : (await createJob(tx, { kind: job, input: { observationIds: pending } })).id
  for (const { id, kind: one } of toAsk) {
    const queryId = await acceptQuery(tx, source, dnsPurpose, jobId)
    await insertFromSource(tx, held, one, source, { id, status: 'pending', queryId, jobId })
  }
  const eventId = await tx.record({
    subject: subjectOf(tx, pending),
    after: { kinds, cached: cached.length, jobId },
  })
  return { jobId, observationIds: cached, outcome: answered, eventId }
}

/**
 * Returns the subject of the audit event. It is an observation rather than the domain, because an erasure can empty an observation but not the audit.
 */
function subjectOf({ actor: { tenantId } }: Tx, [first]: readonly string[]): AuditEntry['subject'] {
  return first === undefined ? { type: 'tenant', id: tenantId } : { type: 'dns_observation', id: first }
}

type Refused = Pick<Check, 'outcome' | 'reason'> & Partial<Pick<Check, 'until' | 'detail'>>

async function refused(tx: Tx, kinds: readonly DnsKind[], refusal: Refused): Promise<RequestedCheck> {
  const { outcome, reason, until = null, detail = null } = refusal
  const after = { kinds, outcome, reason, until, detail }
  const eventId = await tx.record({ subject: subjectOf(tx, []), after })
  return { jobId: null, observationIds: [], outcome: { outcome, reason, until }, eventId }
}

/**
 * Inserts observations with the status `blocked`, because the policy forbids the name. This is a result of the check, not a failure of the source.
 */
async function blocked(
  tx: Tx,
  held: HeldName,
  kinds: readonly DnsKind[],
  source: { sourceId: string; policyVersion: string },
): Promise<RequestedCheck> {
  const observationIds: string[] = []
  for (const kind of kinds) {
    const id = newId()
    await insertFromSource(tx, held, kind, source, { id, status: 'blocked', queryId: null, jobId: null })
    observationIds.push(id)
  }
  const outcome = { outcome: 'unavailable', reason: 'name_forbidden', until: null } as const
  const eventId = await tx.record({
    subject: subjectOf(tx, observationIds),
    after: { kinds, ...outcome, detail: null },
  })
  return { jobId: null, observationIds, outcome, eventId }
}

async function insertFromSource(
  tx: Tx,
  { name, domain }: HeldName,
  kind: DnsKind,
  { sourceId, policyVersion }: { sourceId: string; policyVersion: string },
  made: { id: string; status: 'pending' | 'blocked'; queryId: string | null; jobId: string | null },
): Promise<void> {
  const { tenantId } = tx.actor
  const { id, status, queryId, jobId } = made
  await insertDomainName(tx.db, tenantId, domain)
  await insertObservation(tx.db, {
    tenant_id: tenantId,
    id,
    name,
    domain,
    kind,
    status,
    records: '[]',
    aliases: '[]',
    resolver: null,
    origin: 'adapter',
    observed_at: status === 'pending' ? null : tx.at,
    ttl: null,
    is_truncated: 0,
    is_partial: 0,
    reason: status === 'pending' ? null : 'name_forbidden',
    policy_version: policyVersion,
    normalization_version: NORMALIZATION_VERSION,
    suffix_list_version: SUFFIX_LIST_VERSION,
    source_id: sourceId,
    query_id: queryId,
    job_id: jobId,
    raw: null,
    raw_sha256: null,
    raw_delete_after: null,
    raw_deleted_at: null,
    erased_at: null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
}

/** Completes a pending observation once and caches its answer. If the observation was completed or erased in the meantime, nothing changes. */
export async function completeObservation(
  tx: Tx,
  id: string,
  outcome: CheckOutcome,
): Promise<{ status: string } | Unchanged<{ status: string }>> {
  const { tenantId } = tx.actor
  const row = await getObservationRow(tx.db, tenantId, id).catch(() => undefined)
  if (row === undefined) return unchanged({ status: 'erased' })
  if (row.status !== 'pending' || row.domain === null) return unchanged({ status: row.status })
  await isSuppressed(tx, tenantId, row.domain)
  const completion = { ...completionOf(outcome), observed_at: tx.at }
  await updateObservation(tx.db, tenantId, id, completion)
  const { actor_name: _name, ...stored } = row
  const completed: DnsObservationTable = { ...stored, ...completion }
  await putCached(tx, completed)
  const { status, reason } = completion
  await tx.record({
    action: 'dns_observation.complete',
    subject: { type: 'dns_observation', id },
    after: { kind: row.kind, status, reason },
  })
  return { status }
}

/**
 * Returns the result of an accepted check, with the observations that need no question. The age of a cached observation shows that no question was
 * sent.
 */
export async function readCheck(
  store: Store,
  reader: Actor,
  { outcome, observationIds, eventId }: RequestedCheck,
): Promise<Check> {
  const { after } = await readBack(store.reader, reader.tenantId, eventId)
  const rows = await findObservationRows(store.reader, reader.tenantId, observationIds)
  const observations = await toObservations(store, reader.tenantId, rows)
  const now = store.clock().getTime()
  return {
    ...outcome,
    detail: typeof after?.detail === 'string' ? after.detail : null,
    observations: observations.map((observation) => ({
      observation,
      isCached: outcome.outcome === 'answered',
      ageSeconds: Math.max(0, Math.floor((now - Date.parse(observation.observedAt ?? '')) / 1_000)),
    })),
  }
}
