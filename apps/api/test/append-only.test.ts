import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../src/lib/ids.ts'
import { exportJob } from '../src/rooms/exports/exports.jobs.ts'
import { reportJob } from '../src/rooms/reports/reports.jobs.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'
import type { TestClient } from './build-app.ts'
import { jobWorld } from './job-world.ts'
import { askMerge, askReversal, merged, suggestedPair } from './merging.ts'
import { createProspect } from './prospects.ts'

/*
 * Tests that the database rejects every change of an append-only row, even by a statement that no code runs. `store/schema.test.ts` covers children
 * of a business. The jobs room tests its own tables.
 */

/** Forbidden statements, each with the error of the database. */
const refused: [statement: string, because: string][] = [
  ...['audit_redactions', 'erasures', 'exports', 'match_snapshots', 'merge_snapshots'].flatMap(appendOnly),
  ...['reports', 'report_results', 'suppression_history'].flatMap(appendOnly),
  ['DELETE FROM export_files', 'stays known'],
  [`UPDATE export_files SET removed_because = 'missing' WHERE removed_at IS NOT NULL`, 'a removed file is history'],
  ['UPDATE export_files SET rows = rows WHERE removed_at IS NULL', 'what was exported is not edited'],
  ['UPDATE export_files SET values_sha256 = NULL WHERE removed_at IS NULL', 'what was exported is not edited'],
  ['DELETE FROM match_suggestions', 'not by deletion'],
  [`UPDATE match_suggestions SET status = 'open' WHERE status = 'rejected'`, 'a rejection stands'],
  ['DELETE FROM merge_attempts', 'attempts are kept'],
  ['UPDATE merge_attempts SET failure = failure', 'an attempt that has ended is history'],
  ['DELETE FROM merges', 'not by deletion'],
  [`UPDATE merges SET reason = 'Another' WHERE status = 'merged'`, 'what a merge did is history'],
  [`UPDATE merges SET reversal_reason = 'Another' WHERE status = 'reversed'`, 'a reversal stands'],
  ['DELETE FROM suppressions', 'not by deletion'],
  [`UPDATE suppressions SET ended_reason = 'Another' WHERE status = 'removed'`, 'has ended is history'],
  [`UPDATE suppressions SET reason = reason, kind = kind WHERE status = 'active'`, 'is not edited'],
  ['DELETE FROM suppression_keys', 'the keys of a suppression stay'],
  [`UPDATE suppression_keys SET live = 0`, 'stay live'],
  ['DELETE FROM suppression_matches', 'not by deletion'],
  ['UPDATE suppression_matches SET live = 0', 'stands as long as its entry'],
]

function appendOnly(table: string): [string, string][] {
  const because = `${table} is append-only`
  return [
    [`UPDATE ${table} SET tenant_id = tenant_id`, because],
    [`DELETE FROM ${table}`, because],
    [`REPLACE INTO ${table} SELECT * FROM ${table}`, because],
  ]
}

test('decisions, history and suppressions cannot be edited or deleted, by any statement', async () => {
  const { t, work, ended } = await jobWorld([exportJob, reportJob])
  work()
  const [home, other] = [await t.as('administrator'), await t.as('administrator', 'other')]
  const make = async (client: TestClient, path: string, body: Record<string, unknown>) => {
    const { body: asked } = await client.post<{ jobId: string }>(path, body, { 'idempotency-key': newId() })
    expect(await ended(asked.jobId)).toMatchObject({ status: 'succeeded' })
  }
  const prospects = { source: 'prospects', format: 'csv' }
  // Erase a business in another tenant, because an erasure may empty some of the append-only rows.
  const { id: gone } = await createProspect(other)
  await make(other, '/exports', prospects)
  expect((await other.post(`/businesses/${gone}/erasure`, { reason: 'They asked.' })).status).toBe(200)

  const parted = await suggestedPair(t, home, 'Karoo')
  const { id } = await merged(askMerge(home, parted.suggestion, parted.a))
  expect((await askReversal(home, id)).status).toBe(200)
  const joined = await suggestedPair(t, home, 'Fynbos')
  await merged(askMerge(home, joined.suggestion, joined.a))
  const two = await suggestedPair(t, home, 'Protea')
  await home.post(`/match-suggestions/${two.suggestion.id}/rejection`, { reason: 'Two shops.' })
  await make(home, '/exports', prospects)
  await make(home, '/reports', { from: '2026-11-01', to: '2026-11-20' })
  const entries: string[] = []
  for (const value of ['desk@karoo.co.za', 'desk@protea.co.za']) {
    const entry = { kind: 'email', value, reason: 'They asked.', channel: 'letter' }
    entries.push((await home.post<{ suppression: { id: string } }>('/suppressions', entry)).body.suppression.id)
  }
  expect((await home.post(`/suppressions/${entries[0]}/removal`, { reason: 'They came back.' })).status).toBe(200)

  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  onTestFinished(() => void connection.close())
  for (const [statement, because] of refused)
    expect(() => connection.prepare(statement).run(), statement).toThrow(because)
})
