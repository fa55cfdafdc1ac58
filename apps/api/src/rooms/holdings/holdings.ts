import { Readable } from 'node:stream'
import { actorKey, type UserActor } from '../../lib/actor.ts'
import { AppError, invalidField, namedIn } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { change, type Tx } from '../../store/change/change.ts'
import { requireRoom } from '../../store/change/quota.ts'
import { openUnaltered } from '../../store/files/open-unaltered.ts'
import type { Store } from '../../store/store.ts'
import { getBusiness } from '../businesses/businesses.ts'
import { getTenant } from '../identity/identity.ts'
import { createJob } from '../jobs/jobs.ts'
import { normalizeIdentifier } from '../normalization/normalization.ts'
import { fileOf } from './holding-files.ts'
import { holdingJob } from './holdings.jobs.ts'
import { getHoldingRow, insertHolding, statusOf, toHolding } from './holdings.queries.ts'
import { holdingQuota } from './holdings.quota.ts'
import { type CreateHolding, type Holding, type HoldingFormat, readFileColumn } from './holdings.schema.ts'

/*
 * Everything held about one prospect or one contact value, for a person who asks what a workspace has about them. A job writes the file; each room
 * contributes its part (`HoldingRoom`). The file contains suppressed values, and marks them: it answers the person whose data they are.
 */

/** Requests a collection and queues the job that writes it. Errors: `not_found`, `invalid_request`, `rate_limited`, `queue_full`. */
export async function requestHolding(tx: Tx, input: CreateHolding): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { businessId = null } = input
  if (businessId !== null) await requireProspect(tx, businessId)
  const value = businessId === null ? normalized(input, (await getTenant(tx.db, tenantId)).country) : null
  await requireRoom(tx, holdingQuota)
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind: holdingJob, input: { holdingId: id } })
  await insertHolding(tx.db, {
    tenant_id: tenantId,
    id,
    job_id: jobId,
    business_id: businessId,
    value_kind: value?.kind ?? null,
    value: value?.value ?? null,
    value_normalized: value?.normalized ?? null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    file: null,
    ended_at: null,
    ended_because: null,
  })
  await tx.record({
    subject: { type: 'holding', id },
    ...(businessId === null ? {} : { businessId }),
    after: { about: value?.kind ?? 'business', jobId },
  })
  return { id }
}

async function requireProspect(tx: Tx, businessId: string): Promise<void> {
  const lookup = getBusiness(tx.db, tx.actor.tenantId, businessId)
  const { erasedAt } = await namedIn('businessId', 'This prospect does not exist.', lookup)
  if (erasedAt !== null)
    throw invalidField('businessId', 'erased', 'This prospect was erased: nothing is held about it.')
}

function normalized({ kind, value, region }: CreateHolding, country: string) {
  if (kind === undefined || value === undefined) throw invalidField('value', 'required', 'Enter a value.')
  const found = normalizeIdentifier(kind, value, kind === 'phone' ? (region ?? country) : null).normalized
  if (found === null)
    throw invalidField('value', 'unreadable', 'This value cannot be read. Enter a whole address, number or domain.')
  return { kind, value, normalized: found }
}

export async function getHolding(store: Store, tenantId: string, id: string): Promise<Holding> {
  return toHolding(await getHoldingRow(store.reader, tenantId, id), store.clock().toISOString())
}

export type HoldingDownload = { name: string; bytes: number; type: string; stream: Readable }

const types: Record<HoldingFormat, string> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/**
 * Returns the file and records the download. For a HEAD request the checks are the same, and nothing is recorded. Errors: `not_found`,
 * `holding_not_ready`, `holding_gone`.
 */
export async function openHolding(
  store: Store,
  actor: UserActor,
  { id, format, isHead }: { id: string; format: HoldingFormat; isHead: boolean },
): Promise<HoldingDownload> {
  const { tenantId } = actor
  const row = await getHoldingRow(store.reader, tenantId, id)
  const written = requireReady(row, store.clock().toISOString())[format]
  const handle = await openUnaltered(fileOf(store.dataDir, id, format), written.sha256, (fault) =>
    gone(fault === 'missing' ? 'The file no longer exists.' : 'The file is damaged. Collect it again.'),
  )
  try {
    const about = { name: `everything-held-${id}.${format}`, bytes: written.bytes, type: types[format] }
    if (isHead) {
      await handle.close()
      return { ...about, stream: Readable.from([]) }
    }
    await change(store, actor, { permission: 'holdings.create', action: 'holding.download' }, async (tx) => {
      const current = await getHoldingRow(tx.db, tenantId, id)
      requireReady(current, tx.at)
      await tx.record({
        subject: { type: 'holding', id },
        ...(current.business_id === null ? {} : { businessId: current.business_id }),
        after: { format, ...written },
      })
    })
    return { ...about, stream: handle.createReadStream({ start: 0 }) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function requireReady(row: Parameters<typeof statusOf>[0], now: string) {
  switch (statusOf(row, now)) {
    case 'preparing':
      throw new AppError('holding_not_ready', 'This file is still being written.')
    case 'failed':
      throw gone('This file was not written. Collect it again.')
    case 'expired':
      throw gone('This file has expired, or newer files replaced it. Collect it again.')
    case 'removed':
      throw gone('A prospect was erased, so this file was deleted. Collect it again.')
    case 'ready':
      return readFileColumn(row.file ?? '')
  }
}

function gone(message: string): AppError {
  return new AppError('holding_gone', message)
}
