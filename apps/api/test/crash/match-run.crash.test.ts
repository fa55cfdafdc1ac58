import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { sha256 } from '../../src/lib/hashing.ts'
import { newId } from '../../src/lib/ids.ts'
import { openConnection } from '../../src/store/engine/connection.ts'
import { STORE_FILE } from '../../src/store/store.ts'
import { type ApiProcess, type ApiSession, signIn, startApi } from '../api-process.ts'
import { temporaryFolder } from '../temporary-store.ts'

const KILLS = 3
/**
 * Groups of records, all of which are duplicates of each other. A group has more pairs than a run writes at once, so a run has enough commits for the
 * kills.
 */
const GROUPS = 24
const TWINS = 12
const TWIN = 'Twin'
const PAIRS = (GROUPS * (TWINS * (TWINS - 1))) / 2
/** Number of pairs that are written before each kill except the first. The first kill follows the first write. */
const PAIRS_A_KILL = 300
const LOOK_EVERY_MS = 2

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Inserts records directly into the store. No audit event names them, so only a matching run finds them. */
function addTwins(dataDir: string, like: string): void {
  const connection = openConnection(join(dataDir, STORE_FILE))
  try {
    const columns = connection
      .prepare<[], string>(
        `SELECT name FROM pragma_table_info('businesses') WHERE name NOT IN ('docid', 'id', 'name', 'street')`,
      )
      .pluck()
      .all()
      .join(', ')
    const insert = connection.prepare(
      `INSERT INTO businesses (id, name, street, ${columns}) SELECT ?, ?, ?, ${columns} FROM businesses WHERE id = ?`,
    )
    for (let group = 0; group < GROUPS; group++) {
      const word = sha256(String(group)).replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
      for (let n = 0; n < TWINS; n++)
        insert.run(newId(), `${TWIN} ${word.slice(0, 12)}`, `${group + 1} ${word.slice(20, 28)} Street`, like)
    }
  } finally {
    connection.close()
  }
}

/** Resolves when a run has written more suggestions than this number. */
async function untilMore(dataDir: string, suggestions: number): Promise<void> {
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  try {
    const count = connection.prepare<[], number>('SELECT count(*) FROM match_suggestions').pluck()
    while ((count.get() ?? 0) <= suggestions) await after(LOOK_EVERY_MS)
  } finally {
    connection.close()
  }
}

/** Creates prospects one after the other until the process has ended. Returns the names of the acknowledged ones. */
async function workUntilGone(session: ApiSession, round: number): Promise<string[]> {
  const answered: string[] = []
  for (let n = 0; ; n++) {
    const name = `Answered ${round} ${n}`
    const answer = await session.post('/businesses', { name }).catch(() => undefined)
    if (answer === undefined) return answered
    if (answer.status !== 201) throw new Error(`A prospect was refused: ${JSON.stringify(answer.body)}`)
    answered.push(name)
  }
}

test('kill -9 while the thread of a run writes beside requests leaves one intact chain, every acknowledged record and each pair once', {
  timeout: 300_000,
}, async ({ expect }) => {
  const dataDir = temporaryFolder()
  const port = await freePort()
  let api: ApiProcess = startApi({ dataDir, port })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  await api.ready()
  const session = await signIn(port)
  const { body: first } = await session.post('/businesses', {
    name: 'Karoo Windpumps',
    address: { street: '12 Market Street', city: 'Cradock' },
  })
  await api.kill('SIGTERM')
  addTwins(dataDir, String(first.id))

  const answered: string[] = []
  for (let round = 0; round < KILLS; round++) {
    api = startApi({ dataDir, port })
    await api.ready()
    if (round === 0) await session.post('/jobs', { kind: 'match-run', input: {} }, { 'idempotency-key': newId() })
    const working = workUntilGone(session, round)
    await untilMore(dataDir, PAIRS_A_KILL * round)
    await api.kill('SIGKILL')
    answered.push(...(await working))
  }

  api = startApi({ dataDir, port })
  await api.ready()
  for (;;) {
    const { body } = await session.get('/jobs?limit=1')
    const [run] = body.items as { status: string; reclaims: number }[]
    expect(run?.status).not.toBe('failed')
    if (run?.status === 'succeeded') {
      expect(run.reclaims).toBeGreaterThan(0)
      break
    }
    await after(LOOK_EVERY_MS)
  }
  const { body: verification } = await session.get('/audit-events/verification')
  expect(verification).toMatchObject({ status: 'intact', firstBroken: null })
  await api.kill('SIGTERM')

  const connection = openConnection(join(dataDir, STORE_FILE))
  onTestFinished(() => void connection.close())
  const single = (sql: string) => connection.prepare(sql).pluck().get()
  const names = connection.prepare<[], string>(`SELECT name FROM businesses WHERE name LIKE 'Answered %'`).pluck().all()
  expect(answered.filter((name) => !names.includes(name))).toEqual([])
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(
    single(`SELECT count(DISTINCT business_a || business_b) FROM match_suggestions s
    JOIN businesses a ON a.id = business_a JOIN businesses b ON b.id = business_b
    WHERE s.status = 'open' AND a.name LIKE '${TWIN} %' AND a.name = b.name`),
  ).toBe(PAIRS)
  expect(
    single(
      `SELECT count(*) FROM (SELECT 1 FROM match_suggestions WHERE status = 'open' GROUP BY business_a, business_b HAVING count(*) > 1)`,
    ),
  ).toBe(0)
})
