import type { Migration } from './migration.ts'

/** What somebody searched for when they asked for an export may be a name or an address: an erasure empties it, and nothing else may. */
export const erasedSearches: Migration = {
  name: '0031-erased-searches',
  sql: `
    CREATE INDEX exports_with_search ON exports (tenant_id) WHERE filter_json ->> '$.q' IS NOT NULL;
    DROP TRIGGER exports_keeps_rows;
    CREATE TRIGGER exports_keeps_rows BEFORE UPDATE ON exports
      WHEN NOT (
        EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id)
        AND OLD.filter_json ->> '$.q' IS NOT NULL AND NEW.filter_json IS json_set(OLD.filter_json, '$.q', NULL)
        AND NEW.tenant_id IS OLD.tenant_id AND NEW.id IS OLD.id AND NEW.job_id IS OLD.job_id AND NEW.source IS OLD.source
        AND NEW.report_id IS OLD.report_id AND NEW.format IS OLD.format AND NEW.suppressed IS OLD.suppressed
        AND NEW.created_at IS OLD.created_at AND NEW.created_by IS OLD.created_by
      )
      BEGIN SELECT RAISE(ABORT, 'exports is append-only'); END;
  `,
}
