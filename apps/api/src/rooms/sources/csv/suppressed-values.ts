import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { findKeys, type Keys } from '../../../store/keys.ts'
import { gateForMany, hasLiveEntries } from '../../suppression/suppression.ts'
import type { ContactCell } from './check-row.rules.ts'

/** Which of a piece's identifiers may not be contacted, by the place in what was asked. Throws when that cannot be said. */
export type SuppressionCheck = (cells: readonly ContactCell[]) => Promise<ReadonlySet<number>>

/** The gate of the suppression centre, asked by a thread that has a connection of its own. Cells are asked about as they are written. */
export function createSuppressionCheck(
  db: Kysely<Database>,
  { dataDir, tenantId }: { dataDir: string; tenantId: string },
): SuppressionCheck {
  let ask: ReturnType<typeof gateForMany> | undefined
  return async (cells) => {
    if (cells.length === 0 || !(await hasLiveEntries(db, tenantId))) return new Set()
    ask ??= gateForMany({ db, keys: requireKeys(dataDir) }, tenantId)
    const matches = await ask(cells)
    return new Set(matches.map(({ index }) => index))
  }
}

function requireKeys(dataDir: string): Keys {
  const keys = findKeys(dataDir)
  if (keys === undefined) throw new Error('The keys of the store are not there.')
  return keys
}
