import type { Cursors, Page } from '../../../http/pagination.ts'
import { toPage, totalOf } from '../../../http/pagination.ts'
import { type Actor, actorKey, type UserActor } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { daysAfter, isInFuture } from '../../../lib/clock.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Store } from '../../../store/store.ts'
import { gate } from '../../contact-gate/contact-gate.ts'
import { NORMALIZATION_VERSION, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import { manualRetentionDays } from '../../sources/sources.ts'
import { observationQuota } from '../domains.quota.ts'
import { insertDomainName } from '../names/domain-names.queries.ts'
import { requireOwnerName } from '../names/require-domain.ts'
import { findSuppressedDomains, isWithheld } from '../names/withheld.ts'
import { readDig } from './dig.rules.ts'
import type { Observation, ObservationsQuery, RecordObservation } from './dns.schema.ts'
import {
  getObservationRow,
  insertObservation,
  matchingObservations,
  type ObservationRow,
  selectObservations,
  toObservation,
} from './observations.queries.ts'
import { usedTtl } from './observations.rules.ts'

/*
 * DNS observations (specification, Phase 7 §2 to §3). An observation is the result of one question about one name and one record type, with its time.
 * It is written once. No status proves anything about a business.
 */

const BY_HAND = 'operator'

/**
 * Records an observation that a person made. Returns only the id, because the result of a change is stored for replays and must not contain the
 * pasted text. Errors: `domain_not_resolvable`, `invalid_request`.
 */
export async function recordObservation(tx: Tx, input: RecordObservation): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { name, domain } = requireOwnerName(input.name, 'name')
  if (isInFuture(input.observedAt, tx.at)) throw invalidField('observedAt', 'in_future', 'This time is in the future.')
  refuseUnprovedAbsence(input)
  await requireRoom(tx, observationQuota)
  // The result does not matter here. If the gate cannot answer, it throws and the write fails.
  await isSuppressed(tx, tenantId, domain)
  const { kind, status, records, aliases, isTruncated, isPartial, source, observedAt, raw = null } = input
  const id = newId()
  const days = raw === null ? null : await manualRetentionDays(tx.db, tenantId)
  await insertDomainName(tx.db, tenantId, domain)
  await insertObservation(tx.db, {
    tenant_id: tenantId,
    id,
    name,
    domain,
    kind,
    status,
    records: JSON.stringify(records),
    aliases: JSON.stringify(aliases),
    resolver: source,
    origin: 'operator',
    observed_at: observedAt,
    ttl: usedTtl(status, input.ttl ?? null, records),
    is_truncated: isTruncated ? 1 : 0,
    is_partial: (isTruncated || isPartial) && records.length > 0 ? 1 : 0,
    reason: input.errorReason ?? null,
    policy_version: BY_HAND,
    normalization_version: NORMALIZATION_VERSION,
    suffix_list_version: SUFFIX_LIST_VERSION,
    source_id: null,
    query_id: null,
    job_id: null,
    raw: days === null ? null : raw,
    raw_sha256: raw === null ? null : sha256(raw),
    raw_delete_after: days === null ? null : daysAfter(tx.at, days),
    raw_deleted_at: null,
    erased_at: null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  await tx.record({
    subject: { type: 'dns_observation', id },
    after: { kind, status, records: records.length, isTruncated, hasRaw: raw !== null },
  })
  return { id }
}

/**
 * Refuses `no_data` and `nxdomain` if the pasted text was read as another answer: records that were not read do not prove that there are none. A text
 * without a header and without records is the person's own reading.
 */
function refuseUnprovedAbsence({ status, raw }: RecordObservation): void {
  if (raw == null || (status !== 'no_data' && status !== 'nxdomain')) return
  const answers = readDig(raw).cards.filter(
    ({ observation: { records }, doubts }) => records.length > 0 || !doubts.some(({ code }) => code === 'no_header'),
  )
  if (answers.length > 0 && answers.every(({ observation }) => observation.status !== status))
    throw invalidField(
      'status',
      'not_in_text',
      'The pasted text does not show that there are no records. Record it as an error, or paste the whole output.',
    )
}

/** Returns true if a suppression matches the domain. An error of the gate aborts the write. */
export async function isSuppressed(asker: Pick<Tx, 'db' | 'keys'>, tenantId: string, domain: string): Promise<boolean> {
  return (await gate(asker, tenantId, [{ kind: 'domain', value: domain }])).length > 0
}

/** Returns one observation as this reader may see it. Errors: `not_found`. */
export async function getObservation(store: Store, reader: Actor, id: string): Promise<Observation> {
  const row = await getObservationRow(store.reader, reader.tenantId, id)
  const [observation] = await toObservations(store, reader.tenantId, [row])
  if (observation === undefined) throw new Error('An observation was lost between two lines.')
  return observation
}

/** Converts rows to observations, and marks those of suppressed domains. */
export async function toObservations(
  store: Store,
  tenantId: string,
  rows: readonly ObservationRow[],
): Promise<Observation[]> {
  const domains = rows.flatMap(({ domain }) => domain ?? [])
  const suppressed = await findSuppressedDomains(store, tenantId, domains)
  return rows.map((row) => toObservation(row, store.clock(), suppressed.has(row.domain ?? '')))
}

/** Reads the domain and the name of a query. A name alone names its domain; a name of another domain has no observations. */
function namedBy(of: string | undefined, exactly: string | undefined): { domain?: string; name?: string } {
  const domain = of === undefined ? undefined : requireOwnerName(of, 'domain').domain
  if (exactly === undefined) return domain === undefined ? {} : { domain }
  const held = requireOwnerName(exactly, 'name')
  return { domain: domain ?? held.domain, name: held.name }
}

/**
 * Returns a page of observations, newest first. A domain that the reader may not see has none. Errors: `invalid_request` (the cursor),
 * `domain_not_resolvable`.
 */
export async function listObservations(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  { limit, cursor, domain: of, name: exactly, kind, status }: ObservationsQuery,
): Promise<Page<Observation>> {
  const { tenantId } = reader
  const { domain, name } = namedBy(of, exactly)
  const filter = { domain, name, kind, status }
  const binding = ['dns-observations', tenantId, domain ?? '', name ?? '', kind ?? '', status ?? '']
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const page = { before: before === undefined ? undefined : String(before), limit: limit + 1 }
  const isHidden = domain !== undefined && (await isWithheld(store, reader, domain))
  const rows = isHidden ? [] : await selectObservations(store.reader, tenantId, filter, page)
  const shown = await toObservations(store, tenantId, rows)
  return toPage({
    rows: shown,
    limit,
    toItem: (item) => item,
    cursorAfter: ({ id }) => cursors.encode(binding, [id]),
    total: await totalOf(store, { tenantId, rows, limit, cursor }, (db) => matchingObservations(db, tenantId, filter)),
  })
}
