import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { findKeys, type Keys } from '../../../store/files/keys.ts'
import { gateForMany } from '../../contact-gate/contact-gate.ts'
import type { ContactCell } from './check-row.rules.ts'

/** Suppression checks of a file. Methods throw if the gate cannot answer. */
export type SuppressionCheck = {
  /** call before the first cell and repeatedly; a new entry applies from the next call on */
  prepare(): Promise<void>
  /** true if an entry can match a cell; false is certain */
  mayMatch(cell: ContactCell): boolean
  /** returns the indexes of the suppressed cells */
  suppressed(cells: readonly ContactCell[]): Promise<ReadonlySet<number>>
}

/** Calls the gate from a thread with its own connection. Cells are checked as typed. */
export function createSuppressionCheck(
  db: Kysely<Database>,
  { dataDir, tenantId }: { dataDir: string; tenantId: string },
): SuppressionCheck {
  let keys: Keys | undefined
  const asker = {
    db,
    // Read the keys at the first check, because most files need none.
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
