import type { Kysely } from 'kysely'
import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { requireEnd } from '../../approvals/approvals.ts'
import { defaultLimits, type ExtractionLimits, enablementDays } from '../bounds.ts'
import type { EnablementState, EnablementTable } from '../contacts.table.ts'
import { readReasons } from '../extractions/extractions.queries.ts'
import { EXTRACTOR_VERSION, POLICY_VERSION } from '../versions.ts'
import { checklistOf } from './checklist.ts'
import { findEnablementRow, insertEnablement, selectFailures } from './enablement.queries.ts'
import { type ChecklistItem, type Enable, limitsSchema, type Readiness } from './enablement.schema.ts'

/*
 * The enablement of extraction in a workspace (specification, Phase 9 §2): a person enables it with a checklist without open items, until an end. It
 * lapses as soon as one of its conditions does, and only a person enables it again. Rows are append-only; the newest one counts.
 */

const readLimits = jsonColumn(limitsSchema)

export type Enablement = { state: EnablementState; limits: ExtractionLimits; row: EnablementTable | undefined }

/** Returns the stored enablement. `lapseWhereDue` finds a lapse that is not recorded yet. */
export async function findEnablement(db: Kysely<Database>, tenantId: string): Promise<Enablement> {
  const row = await findEnablementRow(db, tenantId)
  return { state: row?.state ?? 'disabled', limits: row === undefined ? defaultLimits : readLimits(row.limits), row }
}

/** Errors: `checklist_incomplete`, `conflict` (enabled, or disabled, already), `invalid_request` (validUntil). */
export async function setEnablement(tx: Tx, { enabled, reason, validUntil, limits }: Enable): Promise<{ id: string }> {
  const before = await lapseWhereDue(tx)
  if (enabled ? before.state === 'enabled' : before.state === 'disabled')
    throw new AppError('conflict', `Contact extraction is already ${before.state}.`)
  const wanted = enabled ? (limits ?? defaultLimits) : before.limits
  const checklist = await checklistOf(asked(tx, wanted, before.row))
  if (enabled) requireComplete(checklist)
  const row = await write(tx, {
    state: enabled ? 'enabled' : 'disabled',
    reason,
    checklist,
    limits: wanted,
    validUntil: enabled ? await requireEnd(tx, validUntil, { field: 'validUntil', days: enablementDays }) : null,
    actor: actorKey(tx.actor),
  })
  await tx.record({
    action: enabled ? 'extraction.enable' : 'extraction.disable',
    subject: { type: 'contact_enablement', id: row.id },
    before: { state: before.state },
    after: {
      state: row.state,
      validUntil: row.valid_until,
      limits: wanted,
      extractorVersion: EXTRACTOR_VERSION,
      policyVersion: POLICY_VERSION,
    },
    reason,
  })
  return { id: row.id }
}

function requireComplete(checklist: readonly ChecklistItem[]): void {
  const open = checklist.filter(({ isOk }) => !isOk)
  if (open.length === 0) return
  throw new AppError(
    'checklist_incomplete',
    `Resolve the open items first. ${open.map(({ reason }) => reason).join(' ')}`,
    {
      errors: open.map(({ key, reason }) => ({ path: key, code: 'checklist_incomplete', message: reason })),
    },
  )
}

/** Records the lapse of an enablement whose conditions no longer hold, and returns the enablement that counts now. */
export async function lapseWhereDue(tx: Tx): Promise<Enablement> {
  const enablement = await findEnablement(tx.db, tx.actor.tenantId)
  const reason = await lapseOf({ db: tx.db, keys: tx.keys }, tx.actor.tenantId, enablement, tx.at)
  return reason === null ? enablement : lapse(tx, enablement, reason)
}

/** Ends the enablement because the gate failed while an extraction ran. */
export async function lapseByGate(tx: Tx): Promise<void> {
  const enablement = await findEnablement(tx.db, tx.actor.tenantId)
  if (enablement.state === 'enabled') await lapse(tx, enablement, 'The do-not-contact list could not be checked.')
}

async function lapse(tx: Tx, enablement: Enablement, reason: string): Promise<Enablement> {
  const { limits } = enablement
  const checklist = await checklistOf(asked(tx, limits, enablement.row))
  const row = await write(tx, { state: 'lapsed', reason, checklist, limits, validUntil: null, actor: 'contacts' })
  await tx.record({
    action: 'extraction.lapse',
    subject: { type: 'contact_enablement', id: row.id },
    before: { state: 'enabled' },
    after: { state: 'lapsed' },
    reason,
  })
  return { state: 'lapsed', limits, row }
}

/** Returns the reason for which a stored enablement no longer counts; null if it counts, or if there is none. */
export async function lapseOf(
  asker: Parameters<typeof checklistOf>[0]['asker'],
  tenantId: string,
  { state, limits, row }: Enablement,
  now: string,
): Promise<string | null> {
  if (state !== 'enabled' || row === undefined) return null
  if (row.valid_until !== null && row.valid_until <= now) return 'The end date has passed.'
  if (row.extractor_version !== EXTRACTOR_VERSION) return 'The extractor has another version.'
  if (row.policy_version !== POLICY_VERSION) return 'The policy has another version.'
  const open = (await checklistOf({ asker, tenantId, now, limits, since: row.at })).find(({ isOk }) => !isOk)
  return open?.reason ?? null
}

type Written = Pick<EnablementTable, 'state' | 'reason' | 'actor'> & {
  checklist: readonly ChecklistItem[]
  limits: ExtractionLimits
  validUntil: string | null
}

async function write(tx: Tx, { checklist, limits, validUntil, ...rest }: Written): Promise<EnablementTable> {
  const row: EnablementTable = {
    tenant_id: tx.actor.tenantId,
    id: newId(),
    ...rest,
    checklist: JSON.stringify(checklist),
    extractor_version: EXTRACTOR_VERSION,
    policy_version: POLICY_VERSION,
    limits: JSON.stringify(limits),
    valid_until: validUntil,
    at: tx.at,
  }
  await insertEnablement(tx.db, row)
  return row
}

function asked(tx: Tx, limits: ExtractionLimits, row: EnablementTable | undefined) {
  const since = row?.state === 'enabled' ? row.at : null
  return { asker: { db: tx.db, keys: tx.keys }, tenantId: tx.actor.tenantId, now: tx.at, limits, since }
}

/** Returns the present state. A lapse counts from its cause on, recorded or not. */
export async function readReadiness(store: Store, tenantId: string): Promise<Readiness> {
  const db = store.reader
  const now = store.clock().toISOString()
  const asker = { db, keys: store.keys }
  const enablement = await findEnablement(db, tenantId)
  const { state, limits, row } = enablement
  const lapsed = await lapseOf(asker, tenantId, enablement, now)
  const since = state === 'enabled' ? (row?.at ?? null) : null
  const failures = await selectFailures(db, tenantId)
  return {
    state: lapsed === null ? state : 'lapsed',
    reason: lapsed ?? row?.reason ?? null,
    at: row?.at ?? null,
    validUntil: row?.valid_until ?? null,
    extractorVersion: EXTRACTOR_VERSION,
    policyVersion: POLICY_VERSION,
    limits,
    checklist: await checklistOf({ asker, tenantId, now, limits, since }),
    failures: failures.map(({ extractionId, at, reasons }) => ({
      extractionId,
      at,
      reason: readReasons(reasons)[0] ?? 'gate_unavailable',
    })),
  }
}
