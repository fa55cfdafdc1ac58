import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { openConnection } from '../../src/store/engine/connection.ts'
import { STORE_FILE } from '../../src/store/store.ts'
import { type ApiProcess, type ApiSession, signIn, startApi } from '../api-process.ts'
import { temporaryFolder } from '../temporary-store.ts'
import { activation, ended, prepareScored, requestRun } from './scored-store.ts'

const RECORDS = 6_000
/** Maximum file size: enough space to request a run, but not for the scores of these records. */
const ROOM_BYTES = 1024 * 1024

/** Moves the write-ahead log into the store, so that the log starts empty. */
function emptyLog(dataDir: string): void {
  const connection = openConnection(join(dataDir, STORE_FILE))
  connection.pragma('wal_checkpoint(TRUNCATE)')
  connection.close()
}

async function activeRun(session: ApiSession): Promise<string> {
  const { body } = await session.get('/scoring/active')
  return (body.active as { runId: string }).runId
}

async function scored(session: ApiSession): Promise<{ total: number; runs: Set<string> }> {
  const { body } = await session.get('/businesses?sort=-score&limit=200')
  const { items, page } = body as { items: { score: { runId: string } }[]; page: { total: { value: number } } }
  return { total: page.total.value, runs: new Set(items.map(({ score }) => score.runId)) }
}

test('a disk that is full during a run leaves the active scores complete, and the run completes when there is room', {
  timeout: 180_000,
}, async () => {
  const dataDir = temporaryFolder()
  const port = await freePort()
  let api: ApiProcess = startApi({ dataDir, port })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  await api.ready()
  const session = await signIn(port)
  const { body: like } = await session.post('/businesses', { name: 'Karoo Windpumps' })
  await api.kill('SIGTERM')
  const ruleSetId = prepareScored(dataDir, String(like.id), RECORDS)
  api = startApi({ dataDir, port })
  await api.ready()
  const first = await requestRun(session, ruleSetId)
  expect(await ended(session, first)).toMatchObject({ status: 'complete' })
  expect((await activation(session, first, null)).status).toBe(200)

  emptyLog(dataDir)
  execFileSync('prlimit', [`--pid=${api.pid}`, `--fsize=${ROOM_BYTES}:unlimited`])
  const second = await requestRun(session, ruleSetId)
  await expect
    .poll(async () => (await session.get('/health/ready')).body.reason, { timeout: 60_000, interval: 50 })
    .toBe('storage_failed')
  expect(await activeRun(session)).toBe(first)
  expect(await scored(session)).toEqual({ total: RECORDS, runs: new Set([first]) })

  execFileSync('prlimit', [`--pid=${api.pid}`, '--fsize=unlimited:unlimited'])
  expect(await ended(session, second)).toMatchObject({
    status: 'complete',
    counts: { processed: RECORDS, succeeded: RECORDS, failed: 0 },
  })
  expect(await activeRun(session)).toBe(first)
  expect((await activation(session, second, first)).status).toBe(200)
  expect(await scored(session)).toEqual({ total: RECORDS, runs: new Set([second]) })
  expect((await session.get('/audit-events/verification')).body).toMatchObject({ status: 'intact' })
})
