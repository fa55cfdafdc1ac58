import { AppError } from '../../../lib/app-error.ts'
import { sequenceOfEvent } from '../../../store/change/audit-chain.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { getNewestSequence } from '../audit.queries.ts'
import { eventsBetween } from '../events-between.ts'
import { getStoreId } from '../heads/newest-head.ts'
import { publicKeyPem } from '../public-key.ts'
import type { EventWithRedaction } from '../verify-redactions.ts'
import { checkpointLine, endLine, eventLines, headerLine } from './proof-lines.ts'
import { readTenantCheckpoints } from './tenant-checkpoints.ts'

/**
 * Yields the lines of a tenant's whole chain with its signed checkpoints, each after its event, in parts. It verifies nothing, so that a broken chain can
 * be exported and shown. Errors: `conflict` (a prospect was erased meanwhile).
 */
export async function* exportChain(store: Store, tenantId: string): AsyncGenerator<string[]> {
  const { reader, clock } = store
  const db = store.backgroundOf(tenantId)
  const newest = await getNewestSequence(db, tenantId)
  const at = clock().toISOString()
  yield [
    headerLine({ kind: 'chain', store: await getStoreId(reader), tenant: tenantId, at, keys: [publicKeyPem(store)] }),
  ]
  const checkpoints = readTenantCheckpoints(store.dataDir, tenantId)
  let next = await checkpoints.next()
  let events = 0
  let after = 0
  while (after < newest) {
    const page = await eventsBetween(db, tenantId, after, newest)
    const last = page.at(-1)
    if (last === undefined) break
    const lines: string[] = []
    for (const event of page) {
      await requireErasedBefore(db, event, newest)
      lines.push(...eventLines(event))
      while (!next.done && next.value.checkpoint.sequence <= event.sequence) {
        const { text, checkpoint } = next.value
        if (checkpoint.sequence === event.sequence) lines.push(checkpointLine(text))
        next = await checkpoints.next()
      }
    }
    yield lines
    events += page.length
    after = last.sequence
  }
  yield [endLine(events)]
}

/** An event that was erased after the export began would look like one that nobody may have emptied. */
async function requireErasedBefore(
  db: Db,
  { tenant_id: tenantId, redacted_by: erasure }: EventWithRedaction,
  newest: number,
): Promise<void> {
  const erasedAt = erasure === null ? 0 : sequenceOfEvent(erasure)
  if (erasedAt > newest && erasedAt <= (await getNewestSequence(db, tenantId)))
    throw new AppError('conflict', 'A prospect was erased while the chain was written. Export it again.')
}
