import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import { change } from '../../store/change/change.ts'
import type { Keys } from '../../store/files/keys.ts'
import { CHECKPOINT_FILE } from '../../store/files/store-files.ts'
import type { Migration } from '../../store/migration.ts'
import { openStore, type Store } from '../../store/store.ts'
import { forgetCheckpoint, signOnce, verifyTenants } from '../audit/audit.ts'
import { endAccessToTenant, listTenants, systemActor } from '../identity/identity.ts'
import { type Carried, carryDoNotContact } from './carry-do-not-contact.ts'
import type { Manifest } from './manifest.ts'

export type StagedStore = {
  tenants: number
  verifiedEvents: number
  endedSessions: number
  /** audit chains that were already broken in the backup */
  broken: { tenantId: string; reason: string }[]
  /** number of rows copied for all tenants; null if the replaced store could not be read completely */
  carried: Carried | null
}

/**
 * Prepares the opened store in `staged` to replace the current one: migrates it to this code's schema, verifies every audit chain, ends every session
 * and one-time link, copies do-not-contact state from the store in the file `former`, and records the restore and its source in each tenant's audit.
 */
export async function stageBackup(
  options: {
    staged: string
    manifest: Manifest
    migrations: readonly Migration[]
    keys: Keys
    keysLost: boolean
    former?: string
  },
  clock: Clock,
): Promise<StagedStore> {
  const { staged, manifest, migrations, keys, keysLost, former } = options
  // Delete the checkpoints, which were signed with the lost keys and cannot be verified. The backup still contains them.
  if (keysLost) rmSync(join(staged, CHECKPOINT_FILE))
  const store = openStore({ dataDir: staged, clock, migrations, keys })
  try {
    const none: Carried = { suppressions: 0, blocks: 0, tombstones: 0 }
    const result: StagedStore = { tenants: 0, verifiedEvents: 0, endedSessions: 0, broken: [], carried: none }
    const tenantIds = (await listTenants(store.reader)).map(({ id }) => id)
    for (const { tenantId, verification } of await verifyTenants(store, tenantIds)) {
      const { checkedEvents, firstBroken } = verification
      if (firstBroken !== null) result.broken.push({ tenantId, reason: firstBroken.reason })
      result.tenants += 1
      result.verifiedEvents += checkedEvents
    }
    const carried =
      former === undefined ? new Map<string, Carried>() : await carryDoNotContact(store, former, tenantIds)
    result.carried = carried && [...carried.values()].reduce(sum, none)
    for (const tenantId of tenantIds) {
      const of = carried && (carried.get(tenantId) ?? none)
      result.endedSessions += await tellRestored(store, { tenantId, manifest, keysLost, carried: of })
    }
    await signOnce(store, pino({ level: 'silent' }))
    return result
  } finally {
    await store.close()
  }
}

function sum(a: Carried, b: Carried): Carried {
  return {
    suppressions: a.suppressions + b.suppressions,
    blocks: a.blocks + b.blocks,
    tombstones: a.tombstones + b.tombstones,
  }
}

async function tellRestored(
  store: Store,
  {
    tenantId,
    manifest,
    keysLost,
    carried,
  }: { tenantId: string; manifest: Manifest; keysLost: boolean; carried: Carried | null },
): Promise<number> {
  const { id, takenAt, schemaVersion, chains } = manifest
  const actor = systemActor('command line', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'store.restore' }, async (tx) => {
    const endedSessions = await endAccessToTenant(tx)
    if (keysLost) await forgetCheckpoint(tx)
    const lastEvent = chains.find((chain) => chain.tenantId === tenantId)?.sequence ?? 0
    const after = {
      backup: id,
      takenAt,
      schemaVersion,
      lastEvent,
      endedSessions,
      suppressionsCarried: carried?.suppressions ?? null,
      blocksCarried: carried?.blocks ?? null,
      tombstonesCarried: carried?.tombstones ?? null,
      ...(keysLost ? { keysLost } : {}),
    }
    await tx.record({ subject: { type: 'tenant', id: tenantId }, after })
    return endedSessions
  })
  return value
}
