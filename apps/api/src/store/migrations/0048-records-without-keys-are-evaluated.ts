import type { Migration } from './migration.ts'

/**
 * Records of 0.1.0 have no keys, by which an entry finds what it matches, and their tenants were taken for evaluated all the same at the first
 * start after the upgrade: what was suppressed since marked none of them. What says so is taken back where a record lacks its keys, so that
 * the next start evaluates the tenant.
 */
export const recordsWithoutKeysAreEvaluated: Migration = {
  name: '0048-records-without-keys-are-evaluated',
  sql: `
    DELETE FROM suppression_rules WHERE EXISTS (
      SELECT 1 FROM business_identifiers i
      WHERE i.tenant_id = suppression_rules.tenant_id AND NOT EXISTS (
        SELECT 1 FROM suppression_record_keys k WHERE k.tenant_id = i.tenant_id AND k.business_id = i.business_id));
    DELETE FROM suppression_rules WHERE EXISTS (
      SELECT 1 FROM evidence e
      WHERE e.tenant_id = suppression_rules.tenant_id AND e.field IN ('email', 'phone', 'domain') AND e.value IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM suppression_record_keys k WHERE k.tenant_id = e.tenant_id AND k.business_id = e.business_id));
  `,
}
