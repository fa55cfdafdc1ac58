import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { seededNumbers } from '../../src/lib/seeded-numbers.ts'
import { openConnection } from '../../src/store/engine/connection.ts'
import { STORE_FILE } from '../../src/store/store.ts'
import { type ApiProcess, type ApiSession, signIn, startApi } from '../api-process.ts'

const KILLS = 20
/** Every fifth kill occurs while the process starts; the first of them on an empty folder. */
const KILL_WHILE_STARTING_EVERY = 5
const CONNECTIONS = 6
/** Seed of the kill times, so that they are the same in every run. */
const SEED = 20_261_121

const random = seededNumbers(SEED)
const between = (low: number, high: number) => low + Math.floor(random() * (high - low))
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Requests and their responses. A request without a response may or may not have been stored; a retry with its key shows which. */
type Ledger = { answered: Map<string, string>; unanswered: Set<string>; replayed: number; refused: unknown[] }

async function create(session: ApiSession, key: string, ledger: Ledger): Promise<boolean> {
  ledger.unanswered.add(key)
  const answer = await session.post('/businesses', prospect(key), { 'idempotency-key': key }).catch(() => undefined)
  if (answer === undefined) return false
  if (answer.status !== 201) {
    ledger.refused.push(answer)
    return false
  }
  const id = String(answer.body.id)
  const before = ledger.answered.get(key)
  if (before !== undefined && before !== id) ledger.refused.push({ key, before, id })
  if (answer.headers.get('idempotency-replayed') === 'true') ledger.replayed += 1
  ledger.answered.set(key, id)
  ledger.unanswered.delete(key)
  return true
}

function prospect(key: string) {
  return {
    name: `Prospect ${key}`,
    emails: [{ value: `${key}@crash.example` }],
    phones: [{ value: '+27 21 555 0199', label: 'Office' }],
    tags: ['crash', `round ${key.split('-')[1]}`],
    address: { city: 'Gqeberha', province: key.endsWith('3') ? 'Eastern Cape' : 'Gauteng' },
  }
}

/** Sends requests on several connections until the process has ended. */
async function createUntilGone(session: ApiSession, round: number, ledger: Ledger): Promise<void> {
  const forgotten = [...ledger.unanswered]
  const doubted = [...ledger.answered.keys()].slice(-3)
  for (const key of [...forgotten, ...doubted]) {
    if (!(await create(session, key, ledger))) return
  }
  const connections = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    for (let n = 0; await create(session, `key-${round}-${connection}-${n}`, ledger); n++);
  })
  await Promise.all(connections)
}

test('kill -9 during writes loses no acknowledged write, repeats no retried one, and leaves the chain intact', {
  timeout: 300_000,
}, async ({ expect }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-crash-'))
  const port = await freePort()
  const ledger: Ledger = { answered: new Map(), unanswered: new Set(), replayed: 0, refused: [] }
  let api: ApiProcess | undefined
  let session: ApiSession | undefined
  onTestFinished(async () => {
    await api?.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })

  for (let round = 0; round < KILLS; round++) {
    api = startApi({ dataDir, port })
    if (round % KILL_WHILE_STARTING_EVERY === 0) {
      await after(between(100, 500))
      await api.kill('SIGKILL')
      continue
    }
    await api.ready()
    session ??= await signIn(port)
    const working = createUntilGone(session, round, ledger)
    await after(between(50, 400))
    await api.kill('SIGKILL')
    await working
  }

  api = startApi({ dataDir, port })
  await api.ready()
  if (session === undefined) throw new Error('The API never became ready.')
  for (const key of [...ledger.unanswered]) await create(session, key, ledger)

  expect(ledger.refused).toEqual([])
  expect(ledger.unanswered.size).toBe(0)
  expect(ledger.answered.size).toBeGreaterThan(KILLS)
  expect(ledger.replayed).toBeGreaterThan(0)
  expect(await lostOf(session, ledger)).toEqual([])
  const { body } = await session.get('/audit-events/verification')
  expect(body).toMatchObject({ status: 'intact', firstBroken: null })

  await api.kill('SIGTERM')
  expect(await storeOf(dataDir)).toEqual({
    integrity: 'ok',
    foreignKeys: [],
    businesses: ledger.answered.size,
    events: ledger.answered.size,
    twice: [],
    countedOtherwise: [],
  })
})

/** Returns acknowledged creates that can no longer be read, or that differ. */
async function lostOf(session: ApiSession, { answered }: Ledger): Promise<string[]> {
  const lost: string[] = []
  const rest = [...answered].values()
  const readers = Array.from({ length: CONNECTIONS }, async () => {
    for (const [key, id] of rest) {
      const { status, body } = await session.get(`/businesses/${id}`)
      if (status !== 200 || body.name !== `Prospect ${key}`) lost.push(key)
    }
  })
  await Promise.all(readers)
  return lost
}

/** Reads the content of the store's file while no process has it open. */
async function storeOf(dataDir: string) {
  const connection = openConnection(join(dataDir, STORE_FILE))
  try {
    const single = (sql: string) => connection.prepare(sql).pluck().get()
    return {
      integrity: connection.pragma('integrity_check', { simple: true }),
      foreignKeys: connection.pragma('foreign_key_check'),
      businesses: single('SELECT count(*) FROM businesses'),
      events: single(`SELECT count(*) FROM audit_events WHERE action = 'business.create'`),
      twice: connection.prepare('SELECT name FROM businesses GROUP BY name HAVING count(*) > 1').all(),
      countedOtherwise: connection.prepare(COUNTED_OTHERWISE).all(),
    }
  } finally {
    connection.close()
  }
}

/** SQL for stored counts and tags that differ from a recount. */
const COUNTED_OTHERWISE = `
  WITH counted AS (
    SELECT tenant_id, pipeline_state || '|' || coalesce(province_code, '') || '|' || coalesce(assignee_id, '') || '|' || do_not_contact || '|' || has_evidence AS cell, count(*) AS count
    FROM businesses WHERE status = 'active' GROUP BY 1, 2
    UNION ALL SELECT tenant_id, 'tag ' || tag_key, count(*) FROM business_tags GROUP BY 1, 2
  ), kept AS (
    SELECT tenant_id, pipeline_state || '|' || province_code || '|' || assignee_id || '|' || do_not_contact || '|' || has_evidence AS cell, count
    FROM business_counts WHERE count > 0
    UNION ALL SELECT tenant_id, 'tag ' || tag_key, count FROM business_tag_counts WHERE count > 0
  )
  SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept)
  UNION ALL SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted)`
