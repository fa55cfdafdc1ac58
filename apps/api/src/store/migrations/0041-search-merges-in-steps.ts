import type { Migration } from './migration.ts'

/** Whoever writes the search index puts its parts together, a few pages each time (decision 0061); it no longer does so by itself. */
export const searchMergesInSteps: Migration = {
  name: '0041-search-merges-in-steps',
  sql: `INSERT INTO business_search_index (business_search_index, rank) VALUES ('automerge', 0);`,
}
