import { mapValues } from '../../../lib/map-values.ts'
import type { Db } from '../../../store/database.ts'
import { businessChildNames, businessChildren } from '../../facts.ts'
import type { MergeCounts } from './merges.schema.ts'

/** Counts the children of these records without reading them. */
export async function countChildren(db: Db, tenantId: string, ids: readonly string[]): Promise<MergeCounts> {
  const children = mapValues(businessChildren, () => 0)
  for (const kind of businessChildNames) {
    const { count } = await db
      .selectFrom(businessChildren[kind].table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('tenant_id', '=', tenantId)
      .where('business_id', 'in', ids)
      .executeTakeFirstOrThrow()
    children[kind] = count
  }
  const { sources } = await db
    .selectFrom('evidence')
    .select(({ fn }) => fn.count<number>('source_reference').as('sources'))
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', ids)
    .executeTakeFirstOrThrow()
  const { audit } = await db
    .selectFrom('audit_events')
    .select(({ fn }) => fn.countAll<number>().as('audit'))
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', ids)
    .executeTakeFirstOrThrow()
  return { ...children, sources, audit }
}
