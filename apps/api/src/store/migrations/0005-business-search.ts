import type { Migration } from './migration.ts'

/**
 * Text search by any part of three characters or more. `tenant` holds one token for the tenant, so that the index itself answers
 * for one tenant only. The room writes both tables; triggers would make the index write itself out after every row.
 */
export const businessSearch: Migration = {
  name: '0005-business-search',
  sql: `
    CREATE TABLE business_search (
      docid INTEGER PRIMARY KEY REFERENCES businesses (docid),
      tenant TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;

    CREATE VIRTUAL TABLE business_search_index USING fts5 (
      tenant, text, content = 'business_search', content_rowid = 'docid', tokenize = 'trigram', columnsize = 0
    );
  `,
}
