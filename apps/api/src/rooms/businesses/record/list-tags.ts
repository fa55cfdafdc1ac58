import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { type Cursors, type Page, toPage, totalOf } from '../../../http/pagination.ts'
import type { Database } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import type { listTagsQuery } from '../businesses.schema.ts'
import { tagKey } from './write-business.ts'

/** Lists the tenant's tags in alphabetical order, each with its number of active businesses. */
export async function listTags(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  query: z.output<typeof listTagsQuery>,
): Promise<Page<{ tag: string; count: number }>> {
  const { prefix = '', limit, cursor } = query
  const start = tagKey(prefix)
  const binding = ['tags', tenantId, start]
  const [after] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const tags = (db: Kysely<Database>) =>
    db
      .selectFrom('business_tag_counts')
      .select(['tag_key', 'tag', 'count'])
      .where('tenant_id', '=', tenantId)
      .where('tag_key', '>=', start)
      .where('tag_key', '<', `${start}\u{10ffff}`)
      .where('count', '>', 0)
  const rows = await tags(store.reader)
    .$if(after !== undefined, (rest) => rest.where('tag_key', '>', String(after)))
    .orderBy('tag_key')
    .limit(limit + 1)
    .execute()
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, tags),
    toItem: ({ tag, count }) => ({ tag, count }),
    cursorAfter: (row) => cursors.encode(binding, [row.tag_key]),
  })
}

/** Returns those of the given items whose tag no business has any more, active or not. */
export async function tagsOfNobody<Named extends { tag: string }>(
  db: Kysely<Database>,
  tenantId: string,
  named: readonly Named[],
): Promise<Named[]> {
  const carried = new Map<string, boolean>()
  for (const key of new Set(named.map(({ tag }) => tagKey(tag)))) {
    const row = await db
      .selectFrom('business_tags')
      .select('business_id')
      .where('tenant_id', '=', tenantId)
      .where('tag_key', '=', key)
      .limit(1)
      .executeTakeFirst()
    carried.set(key, row !== undefined)
  }
  return named.filter(({ tag }) => carried.get(tagKey(tag)) === false)
}
