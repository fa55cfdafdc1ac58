import { sql } from 'kysely'
import { z } from 'zod'
import { fingerprint } from '../../../lib/hashing.ts'
import type { Tx } from '../../../store/change/change.ts'
import { contains } from '../../../store/engine/dialect.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { tagsOfNobody } from '../../businesses/businesses.ts'
import { erasableFields, withoutErased } from '../../prospect-list/prospect-list.ts'
import { readParams } from './bulk.queries.ts'

const conditions = z.array(z.looseObject({ field: z.string(), erased: z.literal(true).optional() }))
const readConditions = jsonColumn(conditions)
const readStored = jsonColumn(z.looseObject({ filter: conditions, hash: z.string() }))

/**
 * Removes searches, tags and other texts that occur in no record of the tenant any more from the parameters and predicates of bulk actions. The ids of the
 * selected records are kept. Returns the number of changed selections.
 */
export async function eraseFromSelections(tx: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = tx.actor
  const rows = await tx.db
    .selectFrom('bulk_previews')
    .select(['id', 'params', 'predicate'])
    .where('tenant_id', '=', tenantId)
    .where(({ or }) =>
      or([
        contains(sql.ref('params'), '"tag"'),
        ...erasableFields.map((name) => contains(sql.ref('predicate'), `"${name}"`)),
      ]),
    )
    .execute()
  let emptied = 0
  for (const { id, ...stored } of rows) {
    const params = await withoutTag(tx, stored.params)
    const predicate = stored.predicate === null ? null : await withoutValues(tx, stored.predicate, businessIds)
    if (params === stored.params && predicate === stored.predicate) continue
    await tx.db
      .updateTable('bulk_previews')
      .set({ params, predicate })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    emptied += 1
  }
  return emptied
}

async function withoutTag(tx: Tx, stored: string): Promise<string> {
  const params = readParams(stored)
  if (params.tag == null) return stored
  const gone = await tagsOfNobody(tx.db, tx.actor.tenantId, [{ tag: params.tag }])
  return gone.length === 0 ? stored : JSON.stringify({ ...params, tag: null })
}

/**
 * Returns the predicate without values of the erased records. Also clears the predicate's sentence and removed values, because they repeat the
 * conditions.
 */
async function withoutValues(tx: Tx, stored: string, businessIds: readonly string[]): Promise<string> {
  const predicate = readStored(stored)
  const { text, isChanged } = await withoutErased(tx, JSON.stringify(predicate.filter), businessIds)
  if (!isChanged) return stored
  const filter = readConditions(text).filter(({ erased }) => erased !== true)
  return JSON.stringify({
    ...predicate,
    filter,
    words: 'A part of this was erased.',
    removed: [],
    hash: fingerprint({ erased: predicate.hash }),
  })
}
