import type { Migration } from './migration.ts'

/**
 * Text search by any part of three characters or more. `docid` is declared, because an implicit rowid may change when the
 * store is compacted into a backup and the index would then point elsewhere. `tenant` holds one token for the tenant, so
 * that the index itself answers for one tenant only. The room writes both tables; triggers would make the index write itself
 * out after every row.
 */
export const businessSearch: Migration = {
  name: '0005-business-search',
  sql: `
    CREATE TABLE business_search (
      docid INTEGER PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      tenant TEXT NOT NULL,
      text TEXT NOT NULL,
      UNIQUE (tenant_id, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;

    CREATE VIRTUAL TABLE business_search_index USING fts5 (
      tenant, text, content = 'business_search', content_rowid = 'docid', tokenize = 'trigram', detail = 'full'
    );
  `,
}
