import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import { limits, type PossibleDuplicate } from './businesses.schema.ts'
import type { BusinessIdentifierTable } from './businesses.table.ts'

/** Of a number that a thousand businesses share, a handful says enough. */
const MAX_PER_IDENTIFIER = 5

const withIdentifier = prepared<{
  tenantId: string
  kind: BusinessIdentifierTable['kind']
  normalized: string
  limit: number
}>()((db, param) =>
  db
    .selectFrom('business_identifiers as i')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'i.tenant_id').onRef('b.id', '=', 'i.business_id'),
    )
    .select(['b.id', 'b.name', 'b.pipeline_state', 'b.do_not_contact'])
    .where('i.tenant_id', '=', param('tenantId'))
    .where('i.kind', '=', param('kind'))
    .where('i.normalized', '=', param('normalized'))
    .where('b.status', '=', 'active')
    .limit(param('limit')),
)

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
    for (const row of await withIdentifier(db, { tenantId, kind, normalized, limit: MAX_PER_IDENTIFIER })) {
      const known = found.get(row.id)
      const match = { kind, value: original }
      if (known === undefined) {
        found.set(row.id, {
          id: row.id,
          name: row.name,
          pipelineState: row.pipeline_state,
          doNotContact: row.do_not_contact === 1,
          matches: [match],
        })
      } else if (!known.matches.some(({ kind, value }) => kind === match.kind && value === match.value))
        known.matches.push(match)
    }
  }
  return [...found.values()].sort((a, b) => b.matches.length - a.matches.length).slice(0, limits.possibleDuplicates)
}
