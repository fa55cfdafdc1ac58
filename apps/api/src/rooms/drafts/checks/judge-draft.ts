import { z } from 'zod'
import { jsonColumn } from '../../../store/json-column.ts'
import { suggestionStates } from '../../assist/assist.ts'
import type { DraftContent } from '../content/content.rules.ts'
import type { DraftState } from '../drafts.table.ts'
import {
  type DraftRow,
  findRequest,
  getDraftRow,
  getVersionRow,
  type RequestRow,
  readContent,
  type VersionRow,
} from '../writing/drafts.queries.ts'
import { findLastRestore, momentOf } from './check-input.queries.ts'
import {
  type Check,
  type CheckInput,
  type CheckKey,
  checkDraft,
  coveringBasis,
  freshUntil,
  isBlocking,
} from './checks.rules.ts'
import { type CheckReader, type Reading, readCheckInput } from './read-check-input.ts'
import { type Cause, type CauseCode, differencesBetween, type Snapshot, snapshotHashOf } from './snapshot.rules.ts'

/*
 * The judgement of a draft at this moment. The stored state is never trusted: every read, approval and copy judges again (specification,
 * Phase 14 §3).
 */

const snapshotSchema = z.object({
  rules: z.int(),
  evidence: z.record(z.string(), z.object({ hash: z.string(), isSuperseded: z.boolean() })),
  claims: z.record(z.string(), z.array(z.string())),
  values: z.record(z.string(), z.string()),
  recipient: z.object({ hash: z.string(), isOnRecord: z.boolean() }),
  legalBasis: z.string().nullable(),
  policy: z.string().nullable(),
  suggestion: z
    .object({
      id: z.string(),
      state: z.enum([...suggestionStates, 'missing']),
      provider: z.string().nullable(),
      policy: z.string().nullable(),
    })
    .nullable(),
})
const readSnapshot: (text: string) => Snapshot = jsonColumn(snapshotSchema)

/** A draft with its newest version and the request that waits, or that was approved. */
export type DraftRecord = {
  row: DraftRow
  version: VersionRow
  content: DraftContent
  request: (RequestRow & { seen: Snapshot }) | undefined
}

/** Errors: `not_found`. */
async function readDraftRecord(db: CheckReader['db'], tenantId: string, id: string): Promise<DraftRecord> {
  const row = await getDraftRow(db, tenantId, id)
  const version = await getVersionRow(db, tenantId, id, row.version)
  const request = await findRequest(db, tenantId, row.request_id)
  return {
    row,
    version,
    content: await readContent(db, version),
    request: request === undefined ? undefined : { ...request, seen: readSnapshot(request.snapshot) },
  }
}

export type Judged = DraftRecord & {
  reading: Reading
  checks: Check[]
  state: DraftState
  /** the causes that ended a request or an approval which the store still lists as standing */
  causes: Cause[]
  snapshotHash: string
  now: string
}

/** Errors: `not_found`. */
export async function judgeDraft(
  reader: CheckReader,
  wanted: { tenantId: string; id: string; personId: string; at: string },
): Promise<Judged> {
  const record = await readDraftRecord(reader.db, wanted.tenantId, wanted.id)
  return judgeRecord(reader, record, wanted)
}

async function judgeRecord(
  reader: CheckReader,
  record: DraftRecord,
  { personId, at }: { personId: string; at: string },
): Promise<Judged> {
  const { row, version, content, request } = record
  const { tenant_id: tenantId, business_id: businessId, assignee_id: assigneeId } = row
  const now = await momentOf(reader.db, tenantId, at)
  const boundBasis = request?.seen.legalBasis ?? null
  const reading = await readCheckInput(reader, {
    tenantId,
    personId,
    businessId,
    assigneeId,
    content,
    suggestionId: version.suggestion_id,
    now,
    boundBasis,
  })
  const { input, snapshot } = reading
  const restored = request?.sequence == null ? 0 : await findLastRestore(reader.db, tenantId)
  const causes = causesOf(record, { input, snapshot, restored })
  const state = stateOf(record, causes)
  const approval = approvalOf(row.state, state, causes)
  return {
    ...record,
    reading,
    checks: checkDraft({ ...input, approval }),
    state,
    causes,
    snapshotHash: snapshotHashOf(snapshot),
    now,
  }
}

function approvalOf(stored: DraftState, state: DraftState, causes: readonly Cause[]): CheckInput['approval'] {
  if (state === 'approved') return 'standing'
  if (causes.some(({ code }) => code === 'expired') && stored === 'approved') return 'expired'
  return state === 'needs_review' ? 'ended' : 'none'
}

function stateOf({ row, request }: DraftRecord, causes: readonly Cause[]): DraftState {
  if (row.state !== 'in_review' && row.state !== 'approved') return row.state
  if (request === undefined) return 'writing'
  if (causes.length === 0) return row.state
  return row.state === 'in_review' && causes.every(({ code }) => code === 'expired') ? 'writing' : 'needs_review'
}

/** Checks whose failure ends an approval; caps refuse a copy and end nothing. */
const endingChecks: Partial<Record<CheckKey, CauseCode>> = {
  scope: 'scope',
  recipient: 'recipient',
  suppression: 'suppression',
  legal_basis: 'legal_basis',
  policy: 'policy',
  merge_fields: 'merge_fields',
  citations: 'citations',
  evidence: 'evidence',
  freshness: 'freshness',
  uncertainty: 'uncertainty',
  ai_origin: 'suggestion',
  content: 'content',
}

function causesOf(
  { row, request }: DraftRecord,
  { input, snapshot, restored }: { input: Reading['input']; snapshot: Snapshot; restored: number },
): Cause[] {
  if (request === undefined || (row.state !== 'in_review' && row.state !== 'approved')) return []
  const causes = differencesBetween(request.seen, snapshot)
  const add = (code: CauseCode, subject: string, after: string | null) => {
    if (!causes.some((one) => one.code === code)) causes.push({ code, subject, before: null, after })
  }
  const blocking = checkDraft({ ...input, approval: 'standing' }).filter(isBlocking)
  for (const { key, result } of blocking) {
    const code = endingChecks[key]
    // An unknown check follows from another cause, such as a withdrawn policy.
    if (code === undefined || (result === 'unknown' && causes.length > 0)) continue
    if (key === 'scope' && input.business.status === 'merged') add('merge', 'business', 'merged')
    else add(code, key, 'fails')
  }
  const endsAt = row.state === 'approved' ? request.approval_ends_at : request.expires_at
  if (endsAt !== null && endsAt <= input.now)
    causes.push({ code: 'expired', subject: 'time', before: endsAt, after: null })
  if (row.state === 'approved' && request.sequence !== null && restored > request.sequence)
    causes.push({ code: 'restored', subject: 'store', before: null, after: null })
  return causes
}

/** Returns the time at which a request or an approval ends by itself: the earliest end of itself, its policy, its legal basis and its evidence. */
export function dueAt({ reading: { input } }: Pick<Judged, 'reading'>, endsAt: string): string {
  const ends = [
    endsAt,
    input.policy?.endsAt ?? null,
    coveringBasis(input)?.until ?? null,
    freshUntil({ ...input, approval: 'none' }),
  ].filter((end) => end !== null)
  return ends.toSorted()[0] ?? endsAt
}
