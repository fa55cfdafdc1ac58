import type { Migration } from './migration.ts'

/**
 * New suggestions are counted by the statement that follows them, once for all of a change: beside a trigger SQLite copies each page of
 * each row first, which took more than half of the time of a row (decision 72).
 */
export const newSuggestionsAreCountedTogether: Migration = {
  name: '0042-new-suggestions-are-counted-together',
  sql: 'DROP TRIGGER match_suggestions_counted_on_create;',
}
