import type { Migration } from './migration.ts'

/** Counts a business of the trigger in its cell of the cube. */
const intoCell = `
    INSERT INTO business_counts (tenant_id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence, count)
    SELECT NEW.tenant_id, NEW.pipeline_state, coalesce(NEW.province_code, ''), coalesce(NEW.assignee_id, ''),
           NEW.do_not_contact, NEW.has_evidence, 1
    WHERE NEW.status = 'active'
    ON CONFLICT DO UPDATE SET count = count + 1;`

/** An upsert of -1 would trip over the CHECK before it saw the conflict, so taking out is an update. */
const outOfCell = `
    UPDATE business_counts SET count = count - 1
    WHERE OLD.status = 'active' AND tenant_id = OLD.tenant_id AND pipeline_state = OLD.pipeline_state
      AND province_code = coalesce(OLD.province_code, '') AND assignee_id = coalesce(OLD.assignee_id, '')
      AND do_not_contact = OLD.do_not_contact AND has_evidence = OLD.has_evidence;`

function isListed(row: 'NEW' | 'OLD'): string {
  return `EXISTS (SELECT 1 FROM businesses b WHERE b.tenant_id = ${row}.tenant_id AND b.id = ${row}.business_id AND b.status = 'active')`
}

/**
 * Counting a million rows takes 140 ms, so counts are kept as rows are written: a cube over the filters with few values,
 * and a count for each tag. Triggers keep them, so no path can forget to.
 */
export const businessCounts: Migration = {
  name: '0004-business-counts',
  sql: `
    CREATE TABLE business_counts (
      tenant_id TEXT NOT NULL,
      pipeline_state TEXT NOT NULL,
      province_code TEXT NOT NULL,
      assignee_id TEXT NOT NULL,
      do_not_contact INTEGER NOT NULL,
      has_evidence INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant_id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE business_tag_counts (
      tenant_id TEXT NOT NULL,
      tag_key TEXT NOT NULL,
      tag TEXT NOT NULL,
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant_id, tag_key)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER business_counted_on_create AFTER INSERT ON businesses
      BEGIN ${intoCell} END;
    CREATE TRIGGER business_counted_on_change
      AFTER UPDATE OF status, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence ON businesses
      BEGIN ${outOfCell} ${intoCell} END;
    CREATE TRIGGER business_tag_counted_on_add AFTER INSERT ON business_tags
      BEGIN
        INSERT INTO business_tag_counts (tenant_id, tag_key, tag, count)
        SELECT NEW.tenant_id, NEW.tag_key, NEW.tag, 1 WHERE ${isListed('NEW')}
        ON CONFLICT DO UPDATE SET count = count + 1;
      END;
    CREATE TRIGGER business_tag_counted_on_remove AFTER DELETE ON business_tags
      BEGIN
        UPDATE business_tag_counts SET count = count - 1
        WHERE tenant_id = OLD.tenant_id AND tag_key = OLD.tag_key AND ${isListed('OLD')};
      END;
    CREATE TRIGGER business_tags_counted_on_status AFTER UPDATE OF status ON businesses
      WHEN (OLD.status = 'active') <> (NEW.status = 'active')
      BEGIN
        UPDATE business_tag_counts SET count = count + iif(NEW.status = 'active', 1, -1)
        WHERE tenant_id = NEW.tenant_id
          AND tag_key IN (SELECT t.tag_key FROM business_tags t WHERE t.tenant_id = NEW.tenant_id AND t.business_id = NEW.id);
      END;
  `,
}
