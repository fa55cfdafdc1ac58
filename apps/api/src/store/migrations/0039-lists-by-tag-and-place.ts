import type { Migration } from './migration.ts'

/** When a business was changed last, where lists show it; empty where they do not. */
const listedAt = (business: string) => `iif(${business}.status = 'active', ${business}.updated_at, '')`

/**
 * Two orders that pages are read in (decision 0058). The tags keep when their business was changed last, before its id, so that a page of a
 * tag is read as it stands. And a state in a province has an index of its own, with what else a list is narrowed to, so that a row is
 * fetched only for a page. What is new is not in it: that is much of any province, and a create has nothing more to write.
 */
export const listsByTagAndPlace: Migration = {
  name: '0039-lists-by-tag-and-place',
  rewrites: true,
  sql: `
    DROP TRIGGER business_tags_counted_on_status;
    CREATE TABLE business_tags_listed (
      tenant_id TEXT NOT NULL,
      tag_key TEXT NOT NULL,
      listed_at TEXT NOT NULL,
      business_id TEXT NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (tenant_id, tag_key, listed_at, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO business_tags_listed (tenant_id, tag_key, listed_at, business_id, tag)
      SELECT t.tenant_id, t.tag_key, ${listedAt('b')}, t.business_id, t.tag
      FROM business_tags AS t CROSS JOIN businesses AS b ON b.tenant_id = t.tenant_id AND b.id = t.business_id
      ORDER BY 1, 2, 3, 4;
    DROP TABLE business_tags;
    ALTER TABLE business_tags_listed RENAME TO business_tags;
    CREATE UNIQUE INDEX business_tags_by_business ON business_tags (tenant_id, business_id, tag_key);

    CREATE TRIGGER business_tag_counted_on_add AFTER INSERT ON business_tags WHEN NEW.listed_at <> ''
      BEGIN
        INSERT INTO business_tag_counts (tenant_id, tag_key, tag, count) VALUES (NEW.tenant_id, NEW.tag_key, NEW.tag, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
      END;
    CREATE TRIGGER business_tag_counted_on_remove AFTER DELETE ON business_tags WHEN OLD.listed_at <> ''
      BEGIN
        UPDATE business_tag_counts SET count = count - 1 WHERE tenant_id = OLD.tenant_id AND tag_key = OLD.tag_key;
      END;
    CREATE TRIGGER business_tag_forgotten AFTER DELETE ON business_tags
      WHEN NOT EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = OLD.tenant_id AND t.tag_key = OLD.tag_key)
      BEGIN
        DELETE FROM business_tag_counts WHERE tenant_id = OLD.tenant_id AND tag_key = OLD.tag_key;
      END;
    CREATE TRIGGER business_tag_counted_on_status AFTER UPDATE OF listed_at ON business_tags
      WHEN (OLD.listed_at = '') <> (NEW.listed_at = '')
      BEGIN
        UPDATE business_tag_counts SET count = count + iif(NEW.listed_at = '', -1, 1)
        WHERE tenant_id = NEW.tenant_id AND tag_key = NEW.tag_key;
      END;
    -- unlikely: without it SQLite walks all tags of the tenant
    CREATE TRIGGER business_tags_listed_anew AFTER UPDATE OF status, updated_at ON businesses
      WHEN ${listedAt('OLD')} <> ${listedAt('NEW')}
      BEGIN
        UPDATE business_tags SET listed_at = ${listedAt('NEW')} WHERE tenant_id = NEW.tenant_id AND unlikely(business_id = NEW.id);
      END;

    CREATE INDEX businesses_by_province_and_state ON businesses
      (tenant_id, province_code, pipeline_state, updated_at, id, assignee_id, do_not_contact, has_evidence)
      WHERE status = 'active' AND pipeline_state <> 'new';
  `,
}
