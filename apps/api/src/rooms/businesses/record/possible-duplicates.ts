import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { identityOf } from '../../normalization/normalization.ts'
import { limits, type PossibleDuplicate } from '../businesses.schema.ts'
import type { BusinessIdentifierTable } from '../businesses.table.ts'
import { findHolders, type Holder } from './known-identifiers.ts'
import { findNamesakes } from './namesakes.ts'

/**
 * Returns active businesses of the tenant with the same normalized identifier, or with the same name in any spelling. Most matches first, at most ten.
 * A value that identifies nobody, such as a shared host or `none@none.com`, is ignored. The result is a hint for the person who creates a business; the matching room
 * suggests merely similar records. `name`: also searched; `exceptId`: a business that is left out.
 */
export async function findPossibleDuplicates(
  db: Kysely<Database>,
  tenantId: string,
  identifiers: readonly Pick<BusinessIdentifierTable, 'kind' | 'original' | 'normalized'>[],
  { name, exceptId }: { name?: string | undefined; exceptId?: string } = {},
): Promise<PossibleDuplicate[]> {
  const found = new Map<string, PossibleDuplicate>()
  const note = (holder: Holder, match: PossibleDuplicate['matches'][number]) => {
    const known = found.get(holder.id)
    if (known === undefined) {
      found.set(holder.id, { ...holder, matches: [match] })
    } else if (!known.matches.some(({ kind, value }) => kind === match.kind && value === match.value))
      known.matches.push(match)
  }
  for (const { kind, original, normalized } of identifiers) {
    if (normalized === null || identityOf(kind, original, normalized) !== normalized) continue
    for (const holder of await findHolders(db, { tenantId, kind, normalized }))
      if (holder.id !== exceptId) note(holder, { kind, value: original })
  }
  if (name !== undefined)
    for (const holder of await findNamesakes(db, tenantId, name)) note(holder, { kind: 'name', value: holder.name })
  return [...found.values()].sort((a, b) => b.matches.length - a.matches.length).slice(0, limits.possibleDuplicates)
}
