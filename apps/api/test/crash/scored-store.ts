import { join } from 'node:path'
import { expect } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { contentHashOf } from '../../src/rooms/scoring/rules/content.rules.ts'
import type { Content } from '../../src/rooms/scoring/rules/content.ts'
import { type Connection, openConnection } from '../../src/store/engine/connection.ts'
import { STORE_FILE } from '../../src/store/store.ts'
import type { ApiSession } from '../api-process.ts'

export const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const content: Content = {
  groups: [
    {
      id: 'g',
      name: 'Age',
      min: 0,
      max: 100,
      rules: [{ id: 'r', signal: 'record.tags', op: 'has_any', value: ['mining'], points: 50 }],
    },
  ],
  gates: [{ id: 'x', signal: 'record.age_days', op: 'at_most', value: 3_000, kind: 'requires' }],
  bands: [
    { id: 'A', name: 'A', from: 50 },
    { id: 'B', name: 'B', from: 0 },
  ],
  straddling: 'lowest',
  rounding: 'half_up',
  tieBreak: 'oldest_record',
  suppression: 'first',
}

/** Inserts copies of a record, half of them tagged, and a rule set that is approved without the second person. */
export function prepareScored(dataDir: string, like: string, records: number): string {
  const connection = openConnection(join(dataDir, STORE_FILE))
  try {
    const columns = connection
      .prepare<[], string>(`SELECT name FROM pragma_table_info('businesses') WHERE name NOT IN ('docid', 'id', 'tags')`)
      .pluck()
      .all()
      .join(', ')
    const insert = connection.prepare(
      `INSERT INTO businesses (id, tags, ${columns}) SELECT ?, ?, ${columns} FROM businesses WHERE id = ?`,
    )
    for (let at = 1; at < records; at++) insert.run(newId(), at % 2 === 0 ? '["Mining"]' : '[]', like)
    const { tenant_id: tenantId, user_id: userId } = connection
      .prepare<[], { tenant_id: string; user_id: string }>('SELECT tenant_id, user_id FROM memberships LIMIT 1')
      .get() ?? { tenant_id: '', user_id: '' }
    const ruleSetId = newId()
    const at = '2026-01-01T00:00:00.000Z'
    connection
      .prepare(
        'INSERT INTO scoring_rule_sets (tenant_id, id, version, name, owner_id, created_at, created_by, updated_at) VALUES (?, ?, 1, ?, ?, ?, ?, ?)',
      )
      .run(tenantId, ruleSetId, 'Fit', userId, at, userId, at)
    connection
      .prepare(
        `INSERT INTO scoring_versions (tenant_id, rule_set_id, number, version, state, content, content_hash, rollback_plan, created_at, created_by, updated_at,
           submitted_at, submitted_by, decided_at, decided_by, decision_reason)
         VALUES (?, ?, 1, 1, 'approved', ?, ?, 'Back', ?, ?, ?, ?, ?, ?, ?, 'Agreed')`,
      )
      .run(tenantId, ruleSetId, JSON.stringify(content), contentHashOf(content), at, userId, at, at, userId, at, userId)
    return ruleSetId
  } finally {
    connection.close()
  }
}

export function reading<T>(dataDir: string, read: (connection: Connection) => T): T {
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  try {
    return read(connection)
  } finally {
    connection.close()
  }
}

export async function requestRun(session: ApiSession, ruleSetId: string): Promise<string> {
  const body = { ruleSetId, version: 1, reason: 'Monthly' }
  const answer = await session.post('/scoring/runs', body, { 'idempotency-key': newId() })
  expect([answer.status, answer.body.code]).toEqual([202, undefined])
  return String(answer.body.id)
}

export async function ended(session: ApiSession, runId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await session.get(`/scoring/runs/${runId}`)
    if (body.status !== 'queued' && body.status !== 'running') return body
    await after(20)
  }
}

export const activation = (session: ApiSession, runId: string, expectedActiveRunId: string | null) =>
  session.post(`/scoring/runs/${runId}/activation`, { expectedActiveRunId, reason: 'Better' })
