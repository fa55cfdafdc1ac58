import type { Migration } from './migration.ts'

/**
 * A merged record carries its block by hand to its survivor once: with the merge, or when it is blocked later. The trigger of 0014 carried it
 * anew whenever an entry began or ended to match the merged record, also where somebody who may had lifted it from the survivor since.
 */
export const aLiftedBlockStaysLifted: Migration = {
  name: '0045-a-lifted-block-stays-lifted',
  sql: `
    DROP TRIGGER businesses_carry_blocks;
    CREATE TRIGGER businesses_carry_blocks AFTER UPDATE OF merged_into, do_not_contact, blocked_through ON businesses
      WHEN NEW.merged_into IS NOT NULL AND NEW.do_not_contact = 1 AND NEW.blocked_through <> 'suppression'
        AND (OLD.merged_into IS NOT NEW.merged_into OR OLD.do_not_contact = 0 OR OLD.blocked_through = 'suppression')
      BEGIN
        UPDATE businesses SET
            blocked_through = iif(do_not_contact = 1, 'both', 'hand'),
            do_not_contact = 1,
            blocked_at = NEW.blocked_at, blocked_by = NEW.blocked_by, blocked_reason = NEW.blocked_reason,
            version = version + 1
          WHERE tenant_id = NEW.tenant_id AND id = NEW.merged_into
            AND NOT (do_not_contact = 1 AND blocked_through IN ('hand', 'both'));
      END;
  `,
}
