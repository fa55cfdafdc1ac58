import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { findKeys, type Keys } from '../../../store/files/keys.ts'
import { gateForMany } from '../../contact-gate/contact-gate.ts'
import type { ContactCell } from './check-row.rules.ts'

/** Suppression checks for the cells of a file. The methods throw if suppression cannot be checked. */
export type SuppressionCheck = {
  /** Reads changed suppression entries. Call it before the first cell and regularly afterwards; a new entry applies from the next call on. */
  prepare(): Promise<void>
  /** Returns true if an entry may match a cell. False is certain. */
  mayMatch(cell: ContactCell): boolean
  /** Returns the indexes of the suppressed cells in the list. */
  suppressed(cells: readonly ContactCell[]): Promise<ReadonlySet<number>>
}

/** Creates the suppression check of one file, with the connection of this thread. Cells are checked as typed. */
export function createSuppressionCheck(
  db: Kysely<Database>,
  { dataDir, tenantId }: { dataDir: string; tenantId: string },
): SuppressionCheck {
  let keys: Keys | undefined
  const asker = {
    db,
    // The keys are read at their first use, because most files need none.
    get keys() {
      keys ??= requireKeys(dataDir)
      return keys
    },
  }
  const gate = gateForMany(asker, tenantId)
  return {
    prepare: gate.prepare,
    mayMatch: gate.mayMatch,
    async suppressed(cells) {
      const matches = await gate.ask(cells)
      return new Set(matches.map(({ index }) => index))
    },
  }
}

function requireKeys(dataDir: string): Keys {
  const keys = findKeys(dataDir)
  if (keys === undefined) throw new Error('The keys of the store are missing.')
  return keys
}
