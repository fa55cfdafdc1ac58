import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import type { Connection } from '../../src/store/engine/connection.ts'
import { type ApiProcess, type ApiSession, signIn, startApi } from '../api-process.ts'
import { temporaryFolder } from '../temporary-store.ts'
import { activation, after, ended, prepareScored, reading, requestRun } from './scored-store.ts'

const RECORDS = 4_000
const LOOK_EVERY_MS = 2

const countIn = (connection: Connection, table: string, generation: number): number =>
  connection.prepare<[number], number>(`SELECT count(*) FROM ${table} WHERE generation = ?`).pluck().get(generation) ??
  0

const newestGeneration = (connection: Connection): number =>
  connection.prepare<[], number>('SELECT max(number) FROM score_generations').pluck().get() ?? 0

/** Resolves when a query of the store returns true. */
async function until(dataDir: string, isReached: (connection: Connection) => boolean): Promise<void> {
  while (!reading(dataDir, isReached)) await after(LOOK_EVERY_MS)
}

/** Requires that every record has a score of this run, in the list and in its order. */
async function requireWhole(session: ApiSession, dataDir: string, runId: string): Promise<void> {
  const { body } = await session.get('/businesses?sort=-score&limit=200')
  const { items, page } = body as {
    items: { score: { runId: string; low: number; status: string } }[]
    page: { total: { value: number } }
  }
  expect(page.total.value).toBe(RECORDS)
  expect(new Set(items.map(({ score }) => `${score.runId} ${score.low} ${score.status}`))).toEqual(
    new Set([`${runId} 50 scored`]),
  )
  const generation = reading(dataDir, (connection) =>
    connection.prepare<[string], number>('SELECT generation FROM scoring_runs WHERE id = ?').pluck().get(runId),
  )
  const counts = reading(dataDir, (connection) =>
    ['scores', 'score_order', 'score_due'].map((table) => countIn(connection, table, generation ?? 0)),
  )
  expect(counts).toEqual([RECORDS, RECORDS, RECORDS])
}

test('kill -9 during a run, an activation or the removal of old scores leaves one complete set of scores', {
  timeout: 300_000,
}, async () => {
  const dataDir = temporaryFolder()
  const port = await freePort()
  let api: ApiProcess = startApi({ dataDir, port })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  const restart = async () => {
    await api.kill('SIGKILL')
    api = startApi({ dataDir, port })
    await api.ready()
  }
  await api.ready()
  const session = await signIn(port)
  const { body: like } = await session.post('/businesses', { name: 'Karoo Windpumps' })
  await api.kill('SIGTERM')
  const ruleSetId = prepareScored(dataDir, String(like.id), RECORDS)
  api = startApi({ dataDir, port })
  await api.ready()
  const first = await requestRun(session, ruleSetId)
  expect(await ended(session, first)).toMatchObject({ status: 'complete', stoppedBecause: null })
  expect((await activation(session, first, null)).status).toBe(200)

  const before = reading(dataDir, newestGeneration)
  const second = await requestRun(session, ruleSetId)
  const moments: ((connection: Connection) => boolean)[] = [
    (connection) => newestGeneration(connection) === before + 1,
    (connection) =>
      newestGeneration(connection) === before + 2 && countIn(connection, 'scores', before + 2) > RECORDS / 2,
    (connection) =>
      newestGeneration(connection) === before + 3 && countIn(connection, 'score_order', before + 3) > RECORDS / 2,
  ]
  for (const moment of moments) {
    await until(dataDir, moment)
    await restart()
    await requireWhole(session, dataDir, first)
  }
  const run = await ended(session, second)
  expect(run).toMatchObject({ status: 'complete', counts: { processed: RECORDS, succeeded: RECORDS, failed: 0 } })

  for (let round = 0, active = first; round < 3; round++) {
    const other = active === first ? second : first
    const answering = activation(session, other, active).catch(() => undefined)
    await after(round * 3)
    await restart()
    const answer = await answering
    const { body } = await session.get('/scoring/active')
    const now = (body.active as { runId: string }).runId
    if (answer?.status === 200) expect(now).toBe(other)
    expect([active, other]).toContain(now)
    await requireWhole(session, dataDir, now)
    active = now
  }

  const { body: activeNow } = await session.get('/scoring/active')
  const current = (activeNow.active as { runId: string }).runId
  // The kills may have preceded every activation. Activate the run that is not active, because a run that was never active would be waiting for its
  // activation.
  const active = current === first ? second : first
  expect((await activation(session, active, current)).status).toBe(200)
  const third = await requestRun(session, ruleSetId)
  expect(await ended(session, third)).toMatchObject({ status: 'complete', stoppedBecause: null })
  expect((await activation(session, third, active)).status).toBe(200)
  const removed = (connection: Connection) =>
    connection
      .prepare<[], number>(
        `SELECT count(*) FROM scores AS s JOIN score_generations AS g ON g.number = s.generation WHERE g.state IN ('removing', 'building')`,
      )
      .pluck()
      .get() ?? 0
  await restart()
  await until(
    dataDir,
    (connection) =>
      connection
        .prepare<[], number>(`SELECT count(*) FROM score_generations WHERE state = 'removing'`)
        .pluck()
        .get() !== 0 && removed(connection) < RECORDS,
  )
  await restart()
  const generations = (connection: Connection) =>
    connection
      .prepare<[], number>(
        'SELECT count(DISTINCT generation) FROM (SELECT generation FROM scores UNION SELECT generation FROM score_order)',
      )
      .pluck()
      .get()
  await until(dataDir, (connection) => generations(connection) === 2)
  await requireWhole(session, dataDir, third)
  const { body: verification } = await session.get('/audit-events/verification')
  expect(verification).toMatchObject({ status: 'intact', firstBroken: null })
  await api.kill('SIGTERM')
})
