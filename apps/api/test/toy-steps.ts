import type { Migration } from '../src/store/migration.ts'

/** Two steps for tests of upgrades. The second depends on the first and rewrites a table with rows. */
export const toySteps: readonly Migration[] = [
  {
    name: '2999-01-01-toys',
    sql: `
    ALTER TABLE tenants ADD COLUMN nickname TEXT NOT NULL DEFAULT 'unnamed';
    CREATE TABLE toys (tenant_id TEXT NOT NULL REFERENCES tenants (id), name TEXT NOT NULL) STRICT;
    INSERT INTO toys (tenant_id, name) SELECT id, name FROM tenants;
  `,
  },
  {
    name: '2999-01-02-toys-have-a-key',
    rewrites: true,
    sql: `
    CREATE TABLE keyed_toys (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      name TEXT NOT NULL,
      PRIMARY KEY (tenant_id, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO keyed_toys SELECT tenant_id, name FROM toys;
    DROP TABLE toys;
    ALTER TABLE keyed_toys RENAME TO toys;
  `,
  },
]
