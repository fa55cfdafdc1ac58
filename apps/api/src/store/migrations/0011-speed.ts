import type { Migration } from './migration.ts'

/**
 * What a create writes, made less. A text that the search index does not know yet waits in a small table and is looked through by
 * itself, so that the index is written for many at a time; and what is sorted by its creation is sorted by its id, which has that order.
 */
export const speed: Migration = {
  name: '0011-speed',
  sql: `
    -- the present text of a business where business_search, and so the index, still holds an older one or none
    CREATE TABLE business_search_pending (
      docid INTEGER PRIMARY KEY REFERENCES businesses (docid),
      tenant TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;

    DROP INDEX businesses_by_creation;
  `,
}
