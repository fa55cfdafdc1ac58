import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { identityOf, nameKeyOf } from '../../normalization/normalization.ts'
import { limits, type PossibleDuplicate } from '../businesses.schema.ts'
import type { BusinessIdentifierTable } from '../businesses.table.ts'
import { findHolders, type Holder, MAX_PER_IDENTIFIER, toHolder } from './known-identifiers.ts'

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

const withName = prepared<{ tenantId: string; nameKey: string }>()((db, param) =>
  db
    .selectFrom('business_name_keys as k')
    .crossJoin('businesses as b')
    .select(['b.id', 'b.name', 'b.pipeline_state', 'b.do_not_contact'])
    .where('k.tenant', '=', ({ selectFrom }) =>
      selectFrom('tenants').select('number').where('id', '=', param('tenantId')),
    )
    .where('k.name_key', '=', param('nameKey'))
    .whereRef('b.docid', '=', 'k.docid')
    .where('b.status', '=', 'active')
    .orderBy('k.docid')
    .limit(sql.lit(MAX_PER_IDENTIFIER)),
)

/** Returns businesses with this name or trading name in any spelling (`nameKeyOf`), oldest first, at most five. */
async function findNamesakes(db: Kysely<Database>, tenantId: string, name: string): Promise<Holder[]> {
  return (await withName(db, { tenantId, nameKey: nameKeyOf(name) })).map(toHolder)
}
