import type { Migration } from './migration.ts'

/**
 * The expiry policy of a tenant, which lifts nothing: after how many months an entry is to be looked at again. A term runs from when the
 * entry was added, or asked for again; the indexes find those whose term is over, newest first.
 */
export const suppressionReview: Migration = {
  name: '0026-suppression-review',
  sql: `
    ALTER TABLE tenants ADD COLUMN suppression_review_months INTEGER CHECK (suppression_review_months BETWEEN 1 AND 120);

    -- when somebody last asked again for an entry that stood; null: nobody did
    ALTER TABLE suppressions ADD COLUMN confirmed_at TEXT;
    UPDATE suppressions SET confirmed_at = (SELECT max(at) FROM suppression_history AS h
        WHERE h.tenant_id = suppressions.tenant_id AND h.suppression_id = suppressions.id AND h.action = 'requested_again')
      WHERE status = 'active';
    CREATE INDEX suppressions_by_term ON suppressions (tenant_id, coalesce(confirmed_at, created_at), id) WHERE status = 'active';
    CREATE INDEX suppressions_by_kind_and_term ON suppressions (tenant_id, kind, coalesce(confirmed_at, created_at), id)
      WHERE status = 'active';
  `,
}
