import type { Migration } from './migration.ts'

/**
 * A survivor is found by the names of what was merged into it (decision 75), also where that was done before: its text waits beside the
 * index with the names added. SQL folds no accents, so a trading name that has some is found that way once its survivor is written next.
 */
export const survivorsAreFoundByMergedNames: Migration = {
  name: '0044-survivors-are-found-by-merged-names',
  sql: `
    INSERT INTO business_search_pending (docid, tenant, text)
      WITH RECURSIVE below (tenant_id, survivor, id) AS (
        SELECT tenant_id, merged_into, id FROM businesses WHERE merged_into IS NOT NULL
        UNION SELECT b.tenant_id, s.merged_into, b.id
          FROM below b JOIN businesses s ON s.tenant_id = b.tenant_id AND s.id = b.survivor WHERE s.merged_into IS NOT NULL)
      SELECT s.docid, coalesce(p.tenant, i.tenant), coalesce(p.text, i.text) || group_concat(
          char(10) || m.name_key || coalesce(char(10) || lower(m.trading_name), '')
            || coalesce(char(10) || lower(m.registration_number), ''), '')
        FROM below b
        JOIN businesses s ON s.tenant_id = b.tenant_id AND s.id = b.survivor
        JOIN businesses m ON m.tenant_id = b.tenant_id AND m.id = b.id
        LEFT JOIN business_search_pending p ON p.docid = s.docid
        LEFT JOIN business_search i ON i.docid = s.docid
        WHERE coalesce(p.text, i.text) IS NOT NULL AND s.status <> 'inactive'
        GROUP BY s.docid
      ON CONFLICT (docid) DO UPDATE SET text = excluded.text;
  `,
}
