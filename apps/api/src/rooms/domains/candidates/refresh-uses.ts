import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import type { DomainUseTable } from '../domains.table.ts'
import { insertDomainName } from '../names/domain-names.queries.ts'
import { type ReadRecord, readRecords } from './facts.queries.ts'
import { deleteUse, insertUse, saveDerivedRecord, selectDerivedRecords, selectUses } from './uses.queries.ts'
import { DERIVATION_VERSION, labelOfName, usesOf } from './wanted.rules.ts'

/**
 * Derives the domains that the given records use. Derived rows contain no new facts, so they are written without an audit event. Returns the domains
 * that were added or removed.
 */
export async function refreshUses(store: Store, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const work = await planUses(store.reader, tenantId, ids)
  if (work.isUnchanged) return []
  return store.write({ tenantId }, async (db) => {
    // Plan again inside the write transaction, because the first plan can be outdated.
    const { gained, lost, records } = await planUses(db, tenantId, ids)
    for (const { domain, business_id } of lost) await deleteUse(db, { tenant_id: tenantId, domain, business_id })
    for (const row of gained) {
      await insertDomainName(db, tenantId, row.domain)
      await insertUse(db, row)
    }
    for (const row of records) await saveDerivedRecord(db, row)
    const changed = new Set([...gained, ...lost].map(({ domain }) => domain))
    return { keep: true, value: [...changed] }
  })
}

async function planUses(db: Kysely<Database>, tenantId: string, ids: readonly string[]) {
  const read = await readRecords(db, tenantId, ids)
  const before = new Map((await selectUses(db, { tenantId, ids })).map((row) => [keyOf(row), row]))
  const derived = new Map((await selectDerivedRecords(db, { tenantId, ids })).map((row) => [row.business_id, row]))
  const after = new Map(read.flatMap((record) => rowsOf(tenantId, record)).map((row) => [keyOf(row), row]))
  const isSame = (row: DomainUseTable, other: DomainUseTable | undefined) =>
    other !== undefined &&
    row.by_record === other.by_record &&
    row.by_email === other.by_email &&
    row.hosts === other.hosts
  const gained = [...after].filter(([key, row]) => !isSame(row, before.get(key))).map(([, row]) => row)
  const lost = [...before].filter(([key, row]) => !isSame(row, after.get(key))).map(([, row]) => row)
  const records = read
    .map(({ id, facts }) => ({
      tenant_id: tenantId,
      business_id: id,
      label: labelOfName(facts.name),
      rules_version: DERIVATION_VERSION,
    }))
    .filter(({ business_id: id, label, rules_version: version }) => {
      const known = derived.get(id)
      return known === undefined || known.label !== label || known.rules_version !== version
    })
  return { gained, lost, records, isUnchanged: gained.length + lost.length + records.length === 0 }
}

function keyOf({ business_id: id, domain }: DomainUseTable): string {
  return `${id} ${domain}`
}

function rowsOf(tenantId: string, { id, facts }: ReadRecord): DomainUseTable[] {
  return [...usesOf(facts)].map(([domain, { byRecord, byEmail, hosts }]) => ({
    tenant_id: tenantId,
    domain,
    business_id: id,
    by_record: byRecord ? 1 : 0,
    by_email: byEmail ? 1 : 0,
    hosts: JSON.stringify(hosts),
  }))
}
