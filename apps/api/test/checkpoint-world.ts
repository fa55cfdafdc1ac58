import { existsSync, readFileSync } from 'node:fs'
import type { AuditAction } from '../src/lib/declared.ts'
import { checkpointFile } from '../src/rooms/audit/checkpoints/checkpoint-file.ts'
import { createCheckpointer } from '../src/rooms/audit/checkpoints/checkpointer.ts'
import { verifyTenant } from '../src/rooms/audit/verify-chain.ts'
import { change } from '../src/store/change/change.ts'
import type { Store } from '../src/store/store.ts'
import { actorIn, seedTenant, temporaryStore } from './temporary-store.ts'
import { createTestClock } from './test-clock.ts'

/** Creates a store with a tenant whose audit chain is empty, a signer of its checkpoints, and a log of the signer. */
export async function checkpointWorld() {
  const clock = createTestClock()
  const store = temporaryStore({ clock })
  const tenantId = await seedTenant(store)
  const file = checkpointFile(store.dataDir)
  const lines: { fields: unknown; message: string | undefined }[] = []
  const write = (fields: unknown, message?: string) => void lines.push({ fields, message })
  const logger = { warn: write, error: write }
  return {
    clock,
    store,
    tenantId,
    file,
    lines,
    logger,
    checkpointer: createCheckpointer(store, logger),
    verify: () => verifyTenant(store, tenantId),
  }
}

export function recordEvents(store: Store, tenantId: string, count = 1, action: AuditAction = 'test.write') {
  return change(store, actorIn(tenantId), { permission: null, action }, async (tx) => {
    for (let n = 0; n < count; n++) await tx.record({ subject: { type: 'tenant', id: tenantId } })
  })
}

/** Returns the checkpoints in the file, in order. */
export function signedIn(file: string): { tenantId: string; sequence: number; number: number; previous: string }[] {
  return linesIn(file).map((line) => JSON.parse(line))
}

export function linesIn(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}
