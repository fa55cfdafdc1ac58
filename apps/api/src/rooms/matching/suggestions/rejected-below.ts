import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { selectSuggestionsOfPairs } from './suggestions.queries.ts'

const mergedRows = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<{ id: string; survivor: string }>`
    SELECT businesses.id, merged_into AS survivor FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} businesses
      ON tenant_id = ${param('tenantId')} AND merged_into = wanted.value`,
)

/**
 * Returns the id of the last rejection between records that were merged into the two records of a pair, by the text `a b`. Hardly any pair has one.
 */
export async function selectRejectedBelow(
  db: Db,
  tenantId: string,
  pairs: readonly { a: string; b: string }[],
): Promise<ReadonlyMap<string, string>> {
  const merged = new Map<string, string[]>()
  /** Records whose merged records were already searched, so that none is searched twice. */
  const asked = new Set<string>()
  let level = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))]
  while (level.length > 0) {
    for (const id of level) asked.add(id)
    const rows = await mergedRows(db, { tenantId, ids: JSON.stringify(level) })
    for (const { id, survivor } of rows) merged.set(survivor, [...(merged.get(survivor) ?? []), id])
    level = rows.map(({ id }) => id).filter((id) => !asked.has(id))
  }
  const family = (id: string): string[] => [id, ...(merged.get(id) ?? []).flatMap(family)]
  const found = new Map<string, string>()
  for (const { a, b } of merged.size === 0 ? [] : pairs) {
    const below = family(a).flatMap((one) =>
      family(b).map((two) => (one < two ? { a: one, b: two } : { a: two, b: one })),
    )
    if (below.length === 1) continue
    const suggested = [...(await selectSuggestionsOfPairs(db, tenantId, below)).values()].flat()
    const rejected = suggested.filter(({ status }) => status === 'rejected')
    // The rejection with the newest `updated_at`, which is the time of rejection. It may belong to an older suggestion than another rejection.
    const [last] = rejected.sort((one, two) => (one.updated_at < two.updated_at ? 1 : -1))
    if (last !== undefined) found.set(`${a} ${b}`, last.id)
  }
  return found
}
