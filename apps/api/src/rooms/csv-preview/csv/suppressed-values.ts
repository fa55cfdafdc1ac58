import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { findKeys, type Keys } from '../../../store/files/keys.ts'
import { gateForMany } from '../../contact-gate/contact-gate.ts'
import type { ContactCell } from './check-row.rules.ts'

/** What a file asks the gate of the suppression centre. Throws when that cannot be said. */
export type SuppressionCheck = {
  /** To be asked before the first cell and now and again: an entry counts from the next time on. */
  prepare(): Promise<void>
  /** Whether an entry could forbid to contact a cell. False is certain. */
  mayMatch(cell: ContactCell): boolean
  /** Which of these cells may not be contacted, by their place. */
  suppressed(cells: readonly ContactCell[]): Promise<ReadonlySet<number>>
}

/** The gate, asked by a thread that has a connection of its own. Cells are asked about as they are written. */
export function createSuppressionCheck(
  db: Kysely<Database>,
  { dataDir, tenantId }: { dataDir: string; tenantId: string },
): SuppressionCheck {
  let keys: Keys | undefined
  const asker = {
    db,
    // Read at the first question: most files ask none.
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
  if (keys === undefined) throw new Error('The keys of the store are not there.')
  return keys
}
