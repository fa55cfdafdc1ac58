import { sql } from 'kysely'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { contactTables, namedTables } from '../../facts.ts'
import { type IdentifierKind, normalizeIdentifier } from '../../normalization/normalization.ts'
import type { SearchTx } from './index-text.sqlite.ts'
import type { Searchable } from './search-text.rules.ts'

const shown = (hiddenBy: readonly string[]) =>
  sql.join(
    hiddenBy.map((column) => sql`${sql.ref(`i.${column}`)} IS NULL`),
    sql` AND `,
  )

type Value = { kind: IdentifierKind; original: string; label: string | null; region: string | null }

/** `hasPerson`: one of the people has not left. */
export type FurtherTexts = NonNullable<Searchable['further']> & { hasPerson: boolean }

/**
 * Returns the names and contact values of these records in the tables that the facts of rooms declare (`namedTables`, `contactTables`), such as those of
 * their people. A search for one of them finds the record.
 */
export async function furtherTextsOf(
  { db, actor: { tenantId } }: Pick<SearchTx, 'db' | 'actor'>,
  family: readonly string[],
): Promise<FurtherTexts> {
  const names: string[] = []
  let hasPerson = false
  for (const { table, hiddenBy, leftBy } of namedTables) {
    const { rows } = await sql<{ name: string; left: string | null }>`
      SELECT i.name, ${sql.ref(`i.${leftBy}`)} AS "left" FROM ${elementsOf(family, 'one')}
        ${thenJoin} ${sql.table(table)} i ON i.tenant_id = ${tenantId} AND i.business_id = one.value
      WHERE ${shown(hiddenBy)}`.execute(db)
    names.push(...rows.map((row) => row.name))
    hasPerson ||= rows.some(({ left }) => left === null)
  }
  const identifiers: NonNullable<Searchable['further']>['identifiers'][number][] = []
  for (const { table, hiddenBy } of contactTables) {
    const { rows } = await sql<Value>`
      SELECT i.kind, i.original, i.label, i.region FROM ${elementsOf(family, 'one')}
        ${thenJoin} ${sql.table(table)} i ON i.tenant_id = ${tenantId} AND i.business_id = one.value
      WHERE ${shown(hiddenBy)}`.execute(db)
    for (const { kind, original, label, region } of rows)
      identifiers.push({ kind, original, label, normalized: normalizeIdentifier(kind, original, region).normalized })
  }
  return { names, identifiers, hasPerson }
}
