import type { Migration } from './migration.ts'

/**
 * The keys by which a business is looked up for matching, in one table in the order of keys. Four indexes over hashes made each row of
 * `match_records` touch a page of each: a run over a million wrote gigabytes. Written in their order, keys of a thousand businesses lie
 * on a few pages.
 */
export const matchKeys: Migration = {
  name: '0023-match-keys',
  sql: `
    -- An index by another name: derived from match_records, and without a key to businesses, which would be looked up in no order.
    CREATE TABLE match_keys (
      tenant_id TEXT NOT NULL,
      key INTEGER NOT NULL,
      business_id TEXT NOT NULL,
      PRIMARY KEY (tenant_id, key, business_id)
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO match_keys (tenant_id, key, business_id)
      SELECT tenant_id, name_key, business_id FROM match_records
      UNION SELECT tenant_id, building_key, business_id FROM match_records WHERE building_key IS NOT NULL
      UNION SELECT tenant_id, number_key, business_id FROM match_records WHERE number_key IS NOT NULL
      UNION SELECT tenant_id, digits_key, business_id FROM match_records WHERE digits_key IS NOT NULL;
    DROP INDEX match_records_by_name;
    DROP INDEX match_records_by_building;
    DROP INDEX match_records_by_number;
    DROP INDEX match_records_by_digits;
  `,
}
