import type { Kysely } from 'kysely'
import { requireVersion } from '../../http/conditional.ts'
import type { UserActor } from '../../lib/actor.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import type { Database } from '../../store/database.ts'
import { findArrangement, readTiles, saveArrangement } from './dashboard.queries.ts'
import { type Arrange, type Arrangement, builtInTiles } from './dashboard.schema.ts'
import { isForRole } from './tiles.ts'

/** Returns the person's tiles in their order. Until the person arranges them, all built-in tiles of the role are shown, as version 0. */
export async function getArrangement(db: Kysely<Database>, actor: UserActor): Promise<Arrangement> {
  const row = await findArrangement(db, actor)
  if (row === undefined)
    return {
      version: 0,
      tiles: builtInTiles.filter((key) => isForRole(key, actor)).map((key) => ({ key, isHidden: false })),
      updatedAt: null,
    }
  return { version: row.version, tiles: readTiles(row.tiles), updatedAt: row.updated_at }
}

/** Stores the order of the person's tiles. Errors: `version_conflict`. */
export async function arrange(
  tx: Tx,
  actor: UserActor,
  version: number,
  { tiles }: Arrange,
): Promise<Arrangement | Unchanged<Arrangement>> {
  const current = await getArrangement(tx.db, actor)
  requireVersion(version, current.version)
  const stored = JSON.stringify(tiles)
  if (current.version > 0 && stored === JSON.stringify(current.tiles)) return unchanged(current)
  await saveArrangement(tx.db, {
    tenant_id: actor.tenantId,
    user_id: actor.userId,
    version: version + 1,
    tiles: stored,
    updated_at: tx.at,
  })
  await tx.record({ subject: { type: 'user', id: actor.userId }, after: { tiles: tiles.map(({ key }) => key) } })
  return { version: version + 1, tiles, updatedAt: tx.at }
}
