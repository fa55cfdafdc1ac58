import type { Kysely } from 'kysely'
import type { Cursors, Page } from '../../../http/pagination.ts'
import { MAX_COUNTED, MAX_WALKED, newestFirst } from '../../../http/pagination.ts'
import { readVisibleRows } from '../../../http/visible-rows.ts'
import { notFound } from '../../../lib/app-error.ts'
import { fingerprintOfParts } from '../../../lib/seen.ts'
import type { Database } from '../../../store/database.ts'
import { countWanted } from '../../../store/engine/count-up-to.ts'
import type { Keys } from '../../../store/files/keys.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { type Business, findBusinesses, getFamily } from '../../businesses/businesses.ts'
import { recordKeysOf } from '../../contact-gate/contact-gate.ts'
import { findMailStatuses } from '../../domains/domains.ts'
import type { SightingTable } from '../contacts.table.ts'
import {
  type CandidateRow,
  type DecisionRow,
  findCandidateRow,
  markedCandidates,
  selectCandidates,
  selectNewestDecisions,
  selectSightings,
} from './candidates.queries.ts'
import { type ContactCandidate, confidenceSchema, type ListCandidates } from './candidates.schema.ts'
import { findSuppressed } from './find-suppressed.ts'
import { spellingsOf } from './spellings.ts'

type Asker = { db: Kysely<Database>; keys: Keys }

const readConfidence = jsonColumn(confidenceSchema)

/** Parts of a candidate that a person must have seen before a decision, each with the words for a change of it. */
export const candidateParts = {
  value: 'The value, its state or its rule changed.',
  labels: 'The labels of the value changed.',
  pages: 'The pages that show the value changed.',
  record: 'The record changed: its name, its status, or whether it has the value.',
  decisions: 'Somebody decided about this candidate.',
} as const

/** Returns one candidate. A candidate that a suppression matches is not found. Errors: `not_found`; those of the gate. */
export async function getContactCandidate(
  asker: Asker,
  tenantId: string,
  id: string,
  now: Date,
): Promise<ContactCandidate> {
  const row = await findCandidateRow(asker.db, tenantId, id)
  const [shown] = row === undefined ? [] : await withoutSuppressed(asker, tenantId, [row])
  const [candidate] = shown === undefined ? [] : await toCandidates(asker.db, tenantId, [shown], now)
  if (candidate === undefined) throw notFound()
  return candidate
}

/** Returns a page of candidates, newest first. Errors: `invalid_request` (the cursor), `not_found` (the business); those of the gate. */
export async function listContactCandidates(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  { businessId, state, kind, rule, ...query }: ListCandidates,
): Promise<Page<ContactCandidate>> {
  const asker = { db: store.reader, keys: store.keys }
  const businessIds = businessId === undefined ? undefined : await getFamily(store.reader, tenantId, businessId)
  const filter = { businessIds, state, kind, rule }
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['contact-candidates', tenantId, JSON.stringify({ businessId, state, kind, rule })],
    query,
    fetch: async (before, limit) => {
      // Candidates of an entry that was added later are left out.
      const { rows, stoppedAfter } = await readVisibleRows<CandidateRow>(
        {
          read: (last, size) =>
            selectCandidates(store.reader, tenantId, filter, { before: last?.candidate_id ?? before, limit: size }),
          onlyVisible: (read) => withoutSuppressed(asker, tenantId, read),
        },
        limit,
      )
      return {
        rows: await toCandidates(store.reader, tenantId, rows, store.clock()),
        stoppedAfter: stoppedAfter && { id: stoppedAfter.candidate_id },
      }
    },
    // Candidates of an entry that was added within the last seconds still count; the follower then ends them.
    count: (db) =>
      countWanted(db, markedCandidates(db, tenantId, filter), { limit: MAX_COUNTED, maxWalked: MAX_WALKED }),
    toItem: (candidate) => candidate,
  })
}

async function withoutSuppressed(
  asker: Asker,
  tenantId: string,
  rows: readonly CandidateRow[],
): Promise<CandidateRow[]> {
  const held = rows.map((row) => ({ ...row, candidateId: row.candidate_id }))
  const suppressed = await findSuppressed(asker, tenantId, held)
  return rows.filter((row) => !suppressed.has(row.candidate_id))
}

async function toCandidates(
  db: Kysely<Database>,
  tenantId: string,
  rows: readonly CandidateRow[],
  now: Date,
): Promise<ContactCandidate[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.candidate_id)
  const sightings = Map.groupBy(await selectSightings(db, tenantId, ids), (one) => one.candidate_id)
  const decisions = await selectNewestDecisions(db, tenantId, ids)
  const domains = rows.flatMap(({ domain }) => domain ?? [])
  const mail = await findMailStatuses(db, tenantId, domains, now)
  const businesses = await findBusinesses(
    db,
    tenantId,
    rows.map((row) => row.business_id),
  )
  const records = new Map([...businesses].map(([id, business]) => [id, stateOfRecord(business)]))
  return rows.flatMap((row) => {
    const record = records.get(row.business_id)
    if (record === undefined) return []
    const mx = row.domain === null ? null : (mail.get(row.domain) ?? null)
    return [
      toCandidate(row, {
        sightings: sightings.get(row.candidate_id) ?? [],
        decision: decisions.get(row.candidate_id),
        mx,
        record,
      }),
    ]
  })
}

type RecordState = { name: string; status: string; doNotContact: boolean; keys: ReadonlySet<string> }

/** Returns the part of a record that matters for a decision. */
function stateOfRecord({
  name,
  status,
  emails,
  phones,
  doNotContact,
  survivorDoNotContact = false,
}: Business): RecordState {
  const keys = [
    ...emails.flatMap(({ value }) => recordKeysOf({ kind: 'email', value })),
    ...phones.flatMap(({ value, region }) => recordKeysOf({ kind: 'phone', value, region: region ?? null })),
  ]
  return { name, status, doNotContact: doNotContact !== null || survivorDoNotContact, keys: new Set(keys) }
}

function toCandidate(
  row: CandidateRow,
  {
    sightings,
    decision,
    mx,
    record,
  }: {
    sightings: readonly SightingTable[]
    decision: DecisionRow | undefined
    mx: ContactCandidate['mx']
    record: RecordState
  },
): ContactCandidate {
  const { kind, value, normalized, state, rule, syntax } = row
  const confidence = readConfidence(row.confidence)
  const isOnRecord = spellingsOf(row)
    .flatMap(recordKeysOf)
    .some((key) => record.keys.has(key))
  const seen: Record<keyof typeof candidateParts, unknown> = {
    value: [value, normalized, state, rule],
    labels: [confidence, syntax, row.is_role, row.is_free_mail, mx?.status ?? null],
    pages: sightings.map(({ id }) => id),
    record: [record.name, record.status, record.doNotContact, isOnRecord],
    decisions: decision?.id ?? null,
  }
  return {
    id: row.candidate_id,
    business: { id: row.business_id, name: record.name, doNotContact: record.doNotContact },
    kind,
    value,
    normalized,
    normalizationVersion: row.normalization_version,
    uncertainty: row.uncertainty,
    region: row.region,
    state,
    rule,
    confidence,
    syntax,
    isRole: row.is_role === 1,
    isFreeMail: row.is_free_mail === 1,
    mx,
    sightings: sightings.map((one) => ({
      pageUrl: one.page_url,
      pageTitle: one.page_title,
      location: one.location,
      method: one.method,
      observedAt: one.observed_at,
      context: one.context,
      scanId: one.scan_id,
    })),
    isOnRecord,
    fingerprint: fingerprintOfParts(Object.values(seen)),
    decision:
      decision === undefined
        ? null
        : {
            decision: decision.decision,
            reason: decision.reason,
            at: decision.at,
            by: decision.by,
            evidenceId: decision.evidence_id,
            addedToRecord: decision.added_to_record === 1,
          },
    createdAt: row.created_at,
    deleteAfter: row.delete_after,
    emptiedAt: row.emptied_at,
  }
}
