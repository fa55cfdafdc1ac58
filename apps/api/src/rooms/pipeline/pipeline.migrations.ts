import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

const erasure = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.reason IS NULL
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'from_state', 'to_state', 'at', 'actor', 'correlation_id')}
        AND ${unchangedColumns('idempotency_key')}`

export const pipelineMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-pipeline',
    sql: `
    CREATE TABLE pipeline_transitions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      from_state TEXT NOT NULL,
      to_state TEXT NOT NULL,
      reason TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      correlation_id TEXT NOT NULL,
      idempotency_key TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;
    CREATE INDEX pipeline_transitions_by_business ON pipeline_transitions (tenant_id, business_id, id);
    ${appendOnly('pipeline_transitions', { until: erasure })}

    -- A tenant without a row has neither optional state.
    CREATE TABLE pipeline_configurations (
      tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
      version INTEGER NOT NULL CHECK (version > 0),
      paused_enabled INTEGER NOT NULL CHECK (paused_enabled IN (0, 1)),
      disqualified_enabled INTEGER NOT NULL CHECK (disqualified_enabled IN (0, 1)),
      updated_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    // Every query names the business, so the two indexes took as much space as the rows without being of use.
    name: '2026-12-05-pipeline-transitions-by-business',
    rewrites: true,
    sql: `
    CREATE TABLE new_pipeline_transitions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      from_state TEXT NOT NULL,
      to_state TEXT NOT NULL,
      reason TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      correlation_id TEXT NOT NULL,
      idempotency_key TEXT,
      PRIMARY KEY (tenant_id, business_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_pipeline_transitions
      SELECT tenant_id, id, business_id, from_state, to_state, reason, at, actor, correlation_id, idempotency_key
      FROM pipeline_transitions INDEXED BY pipeline_transitions_by_business ORDER BY tenant_id, business_id, id;
    DROP TABLE pipeline_transitions;
    ALTER TABLE new_pipeline_transitions RENAME TO pipeline_transitions;
    ${appendOnly('pipeline_transitions', { until: erasure })}
  `,
  },
  {
    // Paused and disqualified are enabled in new tenants. Existing ones without a row keep what they had.
    name: '2026-12-07-pipeline-optional-states-are-on',
    sql: `
    INSERT INTO pipeline_configurations (tenant_id, version, paused_enabled, disqualified_enabled, updated_at)
      SELECT id, 1, 0, 0, created_at FROM tenants WHERE id NOT IN (SELECT tenant_id FROM pipeline_configurations);
  `,
  },
  {
    // merge_id: the merge, or the merge whose reversal, changed the state; null for a move
    name: '2026-12-07-pipeline-transitions-of-merges',
    sql: `
    ALTER TABLE pipeline_transitions ADD COLUMN merge_id TEXT;
    DROP TRIGGER pipeline_transitions_keeps_rows;
    DROP TRIGGER pipeline_transitions_loses_no_rows;
    ${appendOnly('pipeline_transitions', { until: `${erasure} AND ${unchangedColumns('merge_id')}` })}
  `,
  },
]
