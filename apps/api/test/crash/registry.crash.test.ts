import { createPublicKey, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { sha256 } from '../../src/lib/hashing.ts'
import { newId } from '../../src/lib/ids.ts'
import { createBusiness, createBusinessSchema } from '../../src/rooms/businesses/businesses.ts'
import { listTenants, systemActor } from '../../src/rooms/identity/identity.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import type { Certificate, Round } from '../../src/rooms/registry/registry.schema.ts'
import { change } from '../../src/store/change/change.ts'
import { openStore } from '../../src/store/store.ts'
import { type ApiProcess, type ApiSession, signIn, startApi } from '../api-process.ts'
import { temporaryFolder } from '../temporary-store.ts'
import { after, reading } from './scored-store.ts'

const PROSPECTS = 230
const VALUES_A_PART = 100
const KILLS = 2
const LOOK_EVERY_MS = 2
const number = (n: number) => `+2782${String(1_000_000 + n)}`

test('kill -9 during a confirmed registry round leaves whole parts, and the round continues, blocks each value once and closes', {
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
  const entries = () => count(`SELECT count(*) FROM suppressions WHERE channel = 'registry'`)
  await api.ready()
  const session = await signIn(port)
  await fill(dataDir)
  const started = await session.post(
    '/registry-rounds',
    { kinds: ['phone'], form: 'plain' },
    { 'idempotency-key': newId() },
  )
  const path = `/registry-rounds/${started.body.id}`
  await untilRound(session, path, ({ state }) => state === 'awaiting_result')
  const result = `value\n${Array.from({ length: PROSPECTS }, (_, n) => number(n)).join('\n')}\n`
  const sent = await fetch(`http://127.0.0.1:${port}/api/v1${path}/results`, {
    method: 'POST',
    headers: { ...session.headers, 'content-type': 'text/csv' },
    body: result,
  })
  expect(sent.status).toBe(202)
  await untilRound(session, path, (round) => round.result?.status === 'ready')
  const confirmed = await session.post(`${path}/confirmation`, {
    resultSha256: sha256(result),
    reason: 'Listed by the registry.',
  })
  expect(confirmed.status).toBe(202)

  for (let kill = 0; kill < KILLS; kill++) {
    while (entries() <= VALUES_A_PART * kill) await after(LOOK_EVERY_MS)
    await api.kill('SIGKILL')
    const half = entries()
    // A part has one commit, with its entries, their marks and their events.
    expect([half % VALUES_A_PART === 0 || half === PROSPECTS, half > 0]).toEqual([true, true])
    expect(count('SELECT count(*) FROM businesses WHERE do_not_contact = 1')).toBe(half)
    expect(count(`SELECT count(*) FROM audit_events WHERE action = 'suppression.add'`)).toBe(half)
    api = startApi({ dataDir, port })
    await api.ready()
  }
  const closed = await untilRound(session, path, ({ state }) => state !== 'confirming')
  expect(closed).toMatchObject({ state: 'closed', outcome: { added: PROSPECTS, alreadyBlocked: 0, marked: PROSPECTS } })
  expect([entries(), count('SELECT count(DISTINCT normalized) FROM suppressions')]).toEqual([PROSPECTS, PROSPECTS])

  // Verified with Node alone, as a reader without this service does it.
  const { statement, publicKey, signature } = (await session.get(`${path}/certificate`)).body as unknown as Certificate
  const bytes = (told: unknown) => Buffer.from(canonicalize(['prospect-platform registry certificate', told]) ?? '')
  const isGenuine = (told: unknown) =>
    verify(null, bytes(told), createPublicKey(publicKey), Buffer.from(signature, 'base64url'))
  expect(isGenuine(statement)).toBe(true)
  expect(isGenuine({ ...statement, outcome: { ...statement.outcome, added: 1 } })).toBe(false)
  expect(statement).toMatchObject({ result: { sha256: sha256(result) }, outcome: { added: PROSPECTS } })
})

/** Inserts prospects while the API is running, as another process may. */
async function fill(dataDir: string): Promise<void> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const [tenant] = await listTenants(store.reader)
  const actor = systemActor('command line', tenant?.id ?? '', newId())
  await change(store, actor, { permission: null, action: 'business.create' }, async (tx) => {
    for (let n = 0; n < PROSPECTS; n++)
      await createBusiness(tx, createBusinessSchema.parse({ name: `Farm ${n}`, phones: [{ value: number(n) }] }))
    return null
  })
  await store.close()
}

async function untilRound(session: ApiSession, path: string, isThere: (round: Round) => boolean): Promise<Round> {
  for (;;) {
    const round = (await session.get(path)).body as unknown as Round
    if (round.result?.status === 'refused') throw new Error(String(round.result.refusal))
    if (isThere(round)) return round
    await after(20)
  }
}
