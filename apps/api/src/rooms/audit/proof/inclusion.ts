import { createPublicKey } from 'node:crypto'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { numeral } from '../../../lib/numeral.ts'
import { sequenceOfEvent } from '../../../store/change/audit-chain.ts'
import type { Store } from '../../../store/store.ts'
import { isSignedBy } from '../checkpoints/checkpoint.ts'
import { eventsBetween } from '../events-between.ts'
import { getStoreId } from '../heads/newest-head.ts'
import { publicKeyPem } from '../public-key.ts'
import type { EventWithRedaction } from '../verify-redactions.ts'
import { checkpointLine, endLine, hashOnlyLine, headerLine } from './proof-lines.ts'
import { readTenantCheckpoints, type TenantCheckpoint } from './tenant-checkpoints.ts'

/** Maximum number of events from an event to its checkpoint. A running server signs after 5,000 events. */
const MAX_LINKS = 20_000

export type Inclusion = { eventId: string; sequence: number; hash: string; coveredBy: number; lines: string[] }

/**
 * Returns the place of an event in the chain: the links from it to the next signed checkpoint, without any content. Errors: `not_found`; `conflict` (no
 * checkpoint covers the event yet, or an event between has an older form); `too_large` (more events between than the maximum).
 */
export async function getInclusion(store: Store, tenantId: string, eventId: string): Promise<Inclusion> {
  const db = store.backgroundOf(tenantId)
  const sequence = sequenceOfEvent(eventId)
  const [event] = await eventsBetween(db, tenantId, sequence - 1, sequence)
  if (event?.id !== eventId) throw notFound()
  const { text, checkpoint } = await nextCheckpoint(store, tenantId, sequence)
  const links = checkpoint.sequence - sequence + 1
  if (links > MAX_LINKS)
    throw new AppError(
      'too_large',
      `${numeral(links)} events lie between this one and its checkpoint; at most ${numeral(MAX_LINKS)} are shown. Use an export of the chain.`,
    )
  const at = store.clock().toISOString()
  const lines = [
    headerLine({
      kind: 'inclusion',
      store: await getStoreId(store.reader),
      tenant: tenantId,
      at,
      keys: [publicKeyPem(store)],
    }),
  ]
  for (let after = sequence - 1; after < checkpoint.sequence; ) {
    const page = await eventsBetween(db, tenantId, after, checkpoint.sequence)
    const last = page.at(-1)
    if (last === undefined) throw broken()
    lines.push(...page.map(requireLine))
    if (last.sequence === checkpoint.sequence && last.hash !== checkpoint.hash) throw broken()
    after = last.sequence
  }
  lines.push(checkpointLine(text), endLine(links))
  return { eventId, sequence, hash: event.hash, coveredBy: checkpoint.sequence, lines }
}

async function nextCheckpoint(store: Store, tenantId: string, sequence: number): Promise<TenantCheckpoint> {
  const publicKey = createPublicKey(store.keys.auditSigning)
  for await (const found of readTenantCheckpoints(store.dataDir, tenantId))
    if (found.checkpoint.sequence >= sequence && isSignedBy(publicKey, found.checkpoint)) return found
  throw new AppError('conflict', 'No signed checkpoint covers this event yet. Try again in a minute.')
}

function requireLine(event: EventWithRedaction): string {
  const line = hashOnlyLine(event)
  if (line !== undefined) return line
  throw new AppError(
    'conflict',
    `Event ${event.sequence} is from before events could be shown by their hashes alone. Use an export of the chain.`,
  )
}

function broken(): AppError {
  return new AppError('conflict', 'The history does not match its checkpoint. Verify the audit.')
}
