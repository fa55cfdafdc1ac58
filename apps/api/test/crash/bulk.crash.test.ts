import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { newId } from '../../src/lib/ids.ts'
import { type ApiProcess, signIn, startApi } from '../api-process.ts'
import { temporaryFolder } from '../temporary-store.ts'
import { after, reading } from './scored-store.ts'

const RECORDS = 250
const KILLS = 3
/** Number of outcomes that are written before each kill except the first. The first kill follows the first commit. */
const OUTCOMES_A_KILL = 70
const LOOK_EVERY_MS = 2

test('kill -9 during a bulk leaves each record with one outcome, one review and one event, and the bulk ends complete', {
  timeout: 300_000,
}, async () => {
  const dataDir = temporaryFolder()
  const port = await freePort()
  let api: ApiProcess = startApi({ dataDir, port })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  const count = (sql: string): number =>
    reading(dataDir, (connection) => connection.prepare<[], number>(sql).pluck().get() ?? 0)
  await api.ready()
  const session = await signIn(port)
  for (let at = 0; at < RECORDS; at++) await session.post('/businesses', { name: `Bulk ${at}` })
  const { body: seen } = await session.post('/bulk-reviews/previews', {
    action: 'verify',
    selection: { filter: [], excludedIds: [] },
  })
  expect(seen).toMatchObject({ wouldChange: RECORDS, refused: [] })
  const { body: bulk } = await session.post(
    '/bulk-reviews',
    { previewId: seen.id, fingerprint: seen.fingerprint, reason: 'A round of visits.' },
    { 'idempotency-key': newId() },
  )
  for (let round = 0; round < KILLS; round++) {
    while (count('SELECT count(*) FROM bulk_outcomes') <= OUTCOMES_A_KILL * round) await after(LOOK_EVERY_MS)
    await api.kill('SIGKILL')
    const reviewed = count('SELECT count(*) FROM reviews')
    // Review, outcome and event of a record share a commit.
    expect(count('SELECT count(*) FROM bulk_outcomes')).toBe(reviewed)
    expect(count(`SELECT count(*) FROM audit_events WHERE action = 'review.decide'`)).toBe(reviewed)
    api = startApi({ dataDir, port })
    await api.ready()
  }
  for (;;) {
    const { body } = await session.get(`/bulk-reviews/${bulk.id}`)
    expect(body.status).not.toBe('failed')
    if (body.status === 'done') {
      expect(body).toMatchObject({
        counts: { changed: RECORDS, unchanged: 0, refused: 0, notDone: 0 },
        readBack: { outcomes: RECORDS, events: RECORDS, complete: true },
      })
      break
    }
    await after(LOOK_EVERY_MS)
  }
  expect(count('SELECT max(reclaims) FROM jobs')).toBeGreaterThan(0)
  expect(count('SELECT count(DISTINCT business_id) FROM reviews')).toBe(RECORDS)
  expect(count('SELECT count(*) FROM reviews')).toBe(RECORDS)
  expect(count(`SELECT count(*) FROM audit_events WHERE action = 'bulk_review.end'`)).toBe(1)
  const { body: verification } = await session.get('/audit-events/verification')
  expect(verification).toMatchObject({ status: 'intact', firstBroken: null })
})
