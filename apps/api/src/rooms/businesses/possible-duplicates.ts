import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'
import { limits, type PossibleDuplicate } from './businesses.schema.ts'
import type { BusinessIdentifierTable } from './businesses.table.ts'
import { findHolders } from './known-identifiers.ts'

/**
 * Active businesses of the tenant that carry the very same normalized identifier, most matches first, at most ten.
 * A hint for the person who creates one; matching proper comes with its own room.
 */
export async function findPossibleDuplicates(
  db: Kysely<Database>,
  tenantId: string,
  identifiers: readonly Pick<BusinessIdentifierTable, 'kind' | 'original' | 'normalized'>[],
): Promise<PossibleDuplicate[]> {
  const found = new Map<string, PossibleDuplicate>()
  for (const { kind, original, normalized } of identifiers) {
    if (normalized === null) continue
    for (const holder of await findHolders(db, { tenantId, kind, normalized })) {
      const known = found.get(holder.id)
      const match = { kind, value: original }
      if (known === undefined) {
        found.set(holder.id, { ...holder, matches: [match] })
      } else if (!known.matches.some(({ kind, value }) => kind === match.kind && value === match.value))
        known.matches.push(match)
    }
  }
  return [...found.values()].sort((a, b) => b.matches.length - a.matches.length).slice(0, limits.possibleDuplicates)
}
