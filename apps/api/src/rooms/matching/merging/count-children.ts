import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { type ChildKind, childTables } from './merge-snapshot.ts'
import type { MergeCounts } from './merges.schema.ts'

type Db = Kysely<Database>

/** How much hangs on these records together, without reading any of it. */
export async function countChildren(db: Db, tenantId: string, ids: readonly string[]): Promise<MergeCounts> {
  const of = async (kind: ChildKind) => {
    const { count } = await db
      .selectFrom(childTables[kind])
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('tenant_id', '=', tenantId)
      .where('business_id', 'in', ids)
      .executeTakeFirstOrThrow()
    return count
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
  return {
    evidence: await of('evidence'),
    notes: await of('notes'),
    transitions: await of('transitions'),
    interactions: await of('interactions'),
    sources,
    audit,
  }
}
