import type { Migration } from './migration.ts'

const band = (row: string) => `iif(${row}score >= 0.9, 'strong', 'review')`

const into = `
    INSERT INTO match_suggestion_counts (tenant_id, status, band, count)
    VALUES (NEW.tenant_id, NEW.status, ${band('NEW.')}, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;`

const outOf = `
    UPDATE match_suggestion_counts SET count = count - 1
    WHERE tenant_id = OLD.tenant_id AND status = OLD.status AND band = ${band('OLD.')};`

/** How many suggestions there are of each status and band, kept by triggers as they are written: counting hundreds of thousands takes too long. */
export const matchSuggestionCounts: Migration = {
  name: '0022-match-suggestion-counts',
  sql: `
    CREATE TABLE match_suggestion_counts (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      status TEXT NOT NULL CHECK (status IN ('open', 'rejected', 'merged', 'superseded')),
      band TEXT NOT NULL CHECK (band IN ('strong', 'review')),
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant_id, status, band)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO match_suggestion_counts (tenant_id, status, band, count)
      SELECT tenant_id, status, ${band('')}, count(*) FROM match_suggestions GROUP BY 1, 2, 3;

    CREATE TRIGGER match_suggestions_counted_on_create AFTER INSERT ON match_suggestions
      BEGIN ${into} END;
    CREATE TRIGGER match_suggestions_counted_on_change AFTER UPDATE OF status, score ON match_suggestions
      WHEN OLD.status <> NEW.status OR ${band('OLD.')} <> ${band('NEW.')}
      BEGIN ${outOf} ${into} END;
  `,
}
