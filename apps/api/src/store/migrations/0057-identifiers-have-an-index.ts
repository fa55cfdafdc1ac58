import type { Migration } from './migration.ts'

/** Duplicates are looked up by the normalized identifier itself, and not through the keys of suppression. */
export const identifiersHaveAnIndex: Migration = {
  name: '0057-identifiers-have-an-index',
  sql: `
    CREATE INDEX business_identifiers_by_value ON business_identifiers (tenant_id, kind, normalized) WHERE normalized IS NOT NULL;
  `,
}
