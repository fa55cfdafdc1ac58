import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as streamText } from 'node:stream/consumers'
import { onTestFinished, test } from 'vitest'
import { freePort } from '../../../../script/lib/free-port.ts'
import { AppError } from '../../src/lib/app-error.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { sha256 } from '../../src/lib/hashing.ts'
import { newId } from '../../src/lib/ids.ts'
import { createBusiness } from '../../src/rooms/businesses/businesses.ts'
import { exportJob } from '../../src/rooms/exports/exports.jobs.ts'
import type { Export } from '../../src/rooms/exports/exports.schema.ts'
import { openContent } from '../../src/rooms/exports/exports.ts'
import { listTenants, memberActor, systemActor } from '../../src/rooms/identity/identity.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { change } from '../../src/store/change/change.ts'
import { openStore } from '../../src/store/store.ts'
import { type ApiAnswer, type ApiSession, signIn, startApi } from '../api-process.ts'
import { buildTestApp } from '../build-app.ts'
import { untilJob, work } from '../job-world.ts'
import { createProspect } from '../prospects.ts'
import { copyOf, run } from './dying-process.ts'

/** Number of prospects, large enough that writing them takes longer than two requests. */
const PROSPECTS = 2_000
const LOOK_EVERY_MS = 2
const emailOf = (n: number) => `prospect-${n}@crash.example`

async function setUp() {
  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-export-crash-'))
  const port = await freePort()
  const start = async () => {
    const api = startApi({ dataDir, port })
    onTestFinished(async () => {
      await api.kill('SIGKILL')
    })
    await api.ready()
    return api
  }
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const api = await start()
  const session = await signIn(port)
  await fill(dataDir)
  const folder = join(dataDir, 'exports')
  return { api, session, start, folder, base: `http://127.0.0.1:${port}/api/v1` }
}

/** Inserts prospects while the API is running, as another process may. */
async function fill(dataDir: string): Promise<void> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const [tenant] = await listTenants(store.reader)
  const actor = systemActor('command line', tenant?.id ?? '', newId())
  await change(store, actor, { permission: null, action: 'business.create' }, async (tx) => {
    for (let n = 0; n < PROSPECTS; n++) {
      await createBusiness(tx, { name: `Prospect ${n}`, emails: [{ value: emailOf(n), label: null }] })
    }
    return null
  })
  await store.close()
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves when the unfinished file of the export has content. */
async function untilHalfWritten(folder: string, id: string): Promise<void> {
  for (;;) {
    const draft = readdirSync(folder).find((name) => name.startsWith(`${id}.jsonl.`))
    if (draft !== undefined && statSync(join(folder, draft)).size > 0) return
    await after(LOOK_EVERY_MS)
  }
}

async function untilEnded(session: ApiSession, jobId: string): Promise<ApiAnswer['body']> {
  for (;;) {
    const { body } = await session.get(`/jobs/${jobId}`)
    if (body.endedAt !== null) return body
    await after(50)
  }
}

test('kill -9 of the API during an export leaves no partial file: it is written again, once, without records suppressed meanwhile', async ({
  expect,
}) => {
  const { api, session, start, folder, base } = await setUp()
  const asked = await session.post('/exports', { source: 'prospects', format: 'jsonl' }, { 'idempotency-key': newId() })
  const [id, jobId] = [String(asked.body.id), String(asked.body.jobId)]
  await untilHalfWritten(folder, id)
  const [half, suppressed] = await Promise.all([
    session.get(`/exports/${id}/content`),
    session.post('/suppressions', { kind: 'email', value: emailOf(0), reason: 'They asked.', channel: 'phone' }),
  ])
  await api.kill('SIGKILL')
  expect([half.status, half.body.code, suppressed.status]).toEqual([409, 'export_not_ready', 201])
  expect(readdirSync(folder).every((name) => name.endsWith('.part'))).toBe(true)

  await start()
  expect(await untilEnded(session, jobId)).toMatchObject({ status: 'succeeded', attempt: 1 })
  const { body: events } = await session.get(`/jobs/${jobId}/events`)
  const types = (events.items as { type: string }[]).map(({ type }) => type).filter((type) => type !== 'progress')
  expect(types).toEqual(['created', 'started', 'reclaimed', 'started', 'succeeded'])
  expect(readdirSync(folder).sort()).toEqual([`${id}.jsonl`, `${id}.values`])

  const { body: made } = await session.get(`/exports/${id}`)
  const text = await (await fetch(`${base}/exports/${id}/content`, { headers: session.headers })).text()
  expect(made).toMatchObject({
    status: 'ready',
    file: { rows: PROSPECTS - 1, leftOut: 1, bytes: Buffer.byteLength(text), sha256: sha256(text) },
  })
  const names = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name)
  expect(new Set(names).size).toBe(PROSPECTS - 1)
  expect(names).not.toContain('Prospect 0')
  const { body: written } = await session.get('/audit-events?action=export.write')
  expect(written.items).toHaveLength(1)
})

test('a process killed around the renaming of a file leaves no file or the complete one, recorded once', async ({
  expect,
}) => {
  const kinds = jobKindsOf([exportJob])
  const t = await buildTestApp({ kinds })
  const manager = await t.as('manager')
  await createProspect(await t.as('operator'))
  const wanted = { source: 'prospects', format: 'jsonl' }
  const { body: asked } = await manager.post<Export>('/exports', wanted, { 'idempotency-key': newId() })
  const who = { tenantId: t.tenants.home.id, userId: t.tenants.home.users.manager.id }
  const task = { do: 'work' as const, kind: 'export' as const, ...who }
  const ran = await run({ ...task, dataDir: await copyOf(t) })
  const outcomes = await Promise.all(
    // Skip the first statement: it reads the request, and no file exists then.
    [...ran.keys(), ran.length].slice(1).map(async (place) => {
      const dataDir = await copyOf(t)
      await run({ ...task, dataDir }, place)
      const found = readdirSync(join(dataDir, 'exports')).filter((name) => !name.endsWith('.part')).length
      const store = openStore({ migrations, dataDir, clock: systemClock })
      onTestFinished(() => store.close())
      const actor = await memberActor(store.reader, who, newId())
      if (actor === undefined) throw new Error('The manager is a member.')
      const before = await openContent(store, actor, asked.id).then(
        ({ stream }) => streamText(stream),
        (error: unknown) => error,
      )
      work({ store, kinds })
      await untilJob(store, asked.jobId, ({ status }) => status === 'succeeded')
      const { stream } = await openContent(store, actor, asked.id)
      const rows = (await streamText(stream)).trim().split('\n')
      const written = await store.reader
        .selectFrom('audit_events')
        .select('id')
        .where('action', '=', 'export.write')
        .execute()
      expect([rows.length, written.length, readdirSync(join(dataDir, 'exports')).length]).toEqual([1, 1, 2])
      return [found, before instanceof AppError ? before.code : before === `${rows[0]}\n`]
    }),
  )
  // The points around the renaming of the file: before its row is written, between renaming and commit, and after the commit.
  const notReady = 'export_not_ready'
  expect(outcomes).toEqual([
    [0, notReady],
    [2, notReady],
    [2, true],
  ])
})
