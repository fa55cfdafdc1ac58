import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type JobWorld, jobWorld, testKind, work } from '../../../../test/job-world.ts'
import { createProspect, type Problem } from '../../../../test/prospects.ts'
import { setMax } from '../../../../test/set-max.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { openStore } from '../../../store/store.ts'
import type { Role } from '../../define-facts.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { migrations } from '../../migrations.ts'
import { streamsOfPerson, streamsOfTenant } from '../change-streams.ts'
import { changeItemSchema } from '../changes.schema.ts'

const SESSION_OVER_MS = 9 * 3_600_000

const data = z.object({
  items: z.array(changeItemSchema).default([]),
  reason: z.string().optional(),
  newestSequence: z.int().optional(),
})
type Frame = { id: number; event: string } & z.infer<typeof data>

async function* framesOf(answer: Response): AsyncGenerator<Frame, undefined> {
  let text = ''
  if (answer.body === null) return undefined
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
      const content = field('data')
      if (content === undefined) continue
      yield { id: Number(field('id')), event: field('event') ?? '', ...data.parse(JSON.parse(content)) }
    }
  }
  return undefined
}

async function listen({ t }: JobWorld) {
  const base = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const tokenOf = (role: Role, tenant: 'home' | 'other' = 'home') => {
    const { id: tenantId, users } = t.tenants[tenant]
    return t.startSession({ tenantId, userId: users[role].id, role })
  }
  const open = async (token: string, query = '', headers: Record<string, string> = {}) => {
    const controller = new AbortController()
    onTestFinished(() => controller.abort())
    const answer = await fetch(`${base}/api/v1/changes/stream${query}`, {
      headers: { cookie: `prospect_session=${token}`, ...headers },
      signal: controller.signal,
    })
    const frames = framesOf(answer)
    const next = async () => (await frames.next()).value ?? undefined
    return {
      status: answer.status,
      next,
      rest: async () => {
        const all: Frame[] = []
        for (let frame = await next(); frame !== undefined; frame = await next()) all.push(frame)
        return all
      },
      close: () => controller.abort(),
    }
  }
  const started = async (role: Role, tenant: 'home' | 'other' = 'home') => {
    const stream = await open(await tokenOf(role, tenant))
    expect(await stream.next()).toMatchObject({ event: 'start', items: [] })
    return stream
  }
  return { open, tokenOf, started }
}

const world = () => jobWorld([testKind(async () => undefined)])

test('a change arrives as kind, id and version, and nothing else of it', async () => {
  const w = await world()
  const { started } = await listen(w)
  const stream = await started('viewer')
  const operator = await w.t.as('operator')
  const { id } = await createProspect(operator, { name: 'Baobab Bakery' })
  const frame = await stream.next()
  expect(frame).toMatchObject({ event: 'changes', items: [{ kind: 'business', id, businessId: id, version: 1 }] })
  await operator.post(`/businesses/${id}/notes`, { text: 'They bake.' })
  expect(await stream.next()).toMatchObject({ items: [{ kind: 'note', businessId: id }] })
})

test('a reader gets the changes of the own workspace only', async () => {
  const w = await world()
  const { started } = await listen(w)
  const stream = await started('administrator', 'other')
  await createProspect(await w.t.as('operator'), { name: 'Here' })
  const { id } = await createProspect(await w.t.as('operator', 'other'), { name: 'There' })
  expect((await stream.next())?.items).toMatchObject([{ kind: 'business', id }])
})

test('a reader gets the kinds that the role may read, and jobs of the kinds that it may use', async () => {
  const w = await world()
  const { started } = await listen(w)
  const [viewer, operator] = [await started('viewer'), await started('operator')]
  const manager = await w.t.as('manager')
  await manager.post('/suppressions', {
    kind: 'email',
    value: 'no@example.org',
    reason: 'They asked.',
    channel: 'phone',
  })
  await w.create()
  await createProspect(manager, { name: 'Seen by all' })
  const seenBy = async (stream: typeof viewer) => {
    const seen: string[] = []
    while (!seen.includes('business')) for (const { kind } of (await stream.next())?.items ?? []) seen.push(kind)
    return new Set(seen)
  }
  expect(await seenBy(operator)).toEqual(new Set(['suppression', 'job', 'business']))
  expect(await seenBy(viewer)).toEqual(new Set(['business']))
})

test('a reconnecting reader continues after the last received event, by header or by query, and misses nothing', async () => {
  const w = await world()
  const { open, tokenOf } = await listen(w)
  const token = await tokenOf('viewer')
  const operator = await w.t.as('operator')
  const first = await open(token)
  const start = await first.next()
  const ids: string[] = []
  const create = async (name: string) => ids.push((await createProspect(operator, { name })).id)
  await create('One')
  expect(await first.next()).toMatchObject({ items: [{ id: ids[0] }] })
  first.close()
  await create('Two')
  await create('Three')
  const after = String(start?.id)
  for (const stream of [
    await open(token, `?follow=false&after=${after}`),
    await open(token, '?follow=false&after=0', { 'last-event-id': after }),
  ]) {
    const items = (await stream.rest()).flatMap((frame) => frame.items)
    expect(items.map(({ id }) => id)).toEqual(ids)
  }
  const cut = await open(token, `?after=${after}`)
  await cut.next()
  expect((await cut.next())?.items.map(({ id }) => id)).toEqual(ids)
  await create('Four')
  expect((await cut.next())?.items.map(({ id }) => id)).toEqual(ids.slice(3))
  for (const seen of ['x', '0x2', '-1']) expect((await open(token, '', { 'last-event-id': seen })).status).toBe(400)
})

test('a cursor that is too old, or ahead of a restored store, is reset to now', async () => {
  const w = await world()
  const { open, tokenOf } = await listen(w)
  const token = await tokenOf('viewer')
  const [reset, ...others] = await (await open(token, '?follow=false&after=999999')).rest()
  expect([reset?.event, others]).toEqual(['reset', []])
  expect(reset).toMatchObject({ reason: 'cursor_ahead', newestSequence: reset?.id })
  const byHeader = await (await open(token, '?follow=false', { 'last-event-id': '999999' })).rest()
  expect(byHeader).toMatchObject([{ event: 'reset', reason: 'cursor_ahead' }])
  const { id: tenantId } = w.t.tenants.home
  const newest = reset?.id ?? 0
  const writer = await writerOf(w.t.store)
  const [event] = await writer.selectFrom('audit_events').selectAll().where('tenant_id', '=', tenantId).execute()
  if (event === undefined) throw new Error('The sign-in is recorded.')
  for (let from = newest + 1; from <= newest + 5_001; from += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ ...event, sequence: from + n, id: `${from + n}` }))
    await writer.insertInto('audit_events').values(rows).execute()
  }
  expect(await (await open(token, `?follow=false&after=${newest}`)).rest()).toMatchObject([
    { event: 'reset', reason: 'cursor_too_old' },
  ])
})

test('changes of another process arrive as well', async () => {
  const w = await world()
  const { started } = await listen(w)
  const stream = await started('operator')
  const elsewhere = openStore({ migrations, dataDir: w.t.store.dataDir, clock: w.t.clock })
  onTestFinished(() => elsewhere.close())
  const { id } = await w.create()
  expect((await stream.next())?.items).toEqual([{ kind: 'job', id, businessId: null, version: 1 }])
  work({ store: elsewhere, kinds: jobKindsOf([testKind(async () => undefined)]) })
  let seen: number | null = 1
  while (seen !== 3) seen = (await stream.next())?.items.find((item) => item.id === id)?.version ?? seen
})

test('the progress of a running job arrives, although it has no audit event', async () => {
  const steps: (() => void)[] = []
  const w = await jobWorld([
    testKind(async ({ checkpoint }) => {
      await new Promise<void>((resolve) => steps.push(resolve))
      await checkpoint({ step: 1 })
      await new Promise<void>((resolve) => steps.push(resolve))
      return undefined
    }),
  ])
  const { started } = await listen(w)
  const stream = await started('operator')
  const { id } = await w.create()
  const versions: (number | null)[] = []
  const until = async (version: number) => {
    while (versions.at(-1) !== version)
      for (const item of (await stream.next())?.items ?? []) if (item.id === id) versions.push(item.version)
  }
  await until(1)
  w.work()
  await until(2)
  await expect.poll(() => steps.length).toBe(1)
  steps[0]?.()
  await until(3)
  await expect.poll(() => steps.length).toBe(2)
  steps[1]?.()
  await until(4)
})

test('a stream ends when its session ends, idles out or must complete a step first', async () => {
  const w = await world()
  const { open, tokenOf } = await listen(w)
  const token = await tokenOf('operator')
  const revoked = await open(token)
  await revoked.next()
  await w.t.withSession(token).delete('/session')
  expect(await revoked.rest()).toEqual([])
  expect((await open(token)).status).toBe(401)

  const held = await open(await tokenOf('manager'))
  await held.next()
  const manager = w.t.tenants.home.users.manager.id
  await (await writerOf(w.t.store))
    .updateTable('users')
    .set({ must_change_password: 1 })
    .where('id', '=', manager)
    .execute()
  expect(await held.rest()).toEqual([])

  const idle = await open(await tokenOf('viewer'))
  await idle.next()
  w.t.clock.advance(SESSION_OVER_MS)
  expect(await idle.rest()).toEqual([])
})

test('the streams of a person are limited over all sessions; a stopping server ends them all', async () => {
  const w = await world()
  const { open, tokenOf } = await listen(w)
  const streams = await Promise.all(
    Array.from({ length: streamsOfPerson.max }, async () => open(await tokenOf('operator'))),
  )
  const refused = await (await w.t.as('operator')).get<Problem>('/changes/stream')
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'too_many_streams', limit: 'change_streams', size: 6, max: 6 },
    headers: { 'retry-after': '30' },
  })
  expect(refused.body.detail).toBe(
    'You have 6 pages that show changes live; the limit is 6. Close a browser or a page of the app. A program can read the lists again from time to time instead.',
  )
  expect((await open(await tokenOf('viewer'))).status).toBe(200)
  expect((await open(await tokenOf('operator', 'other'))).status).toBe(200)
  streams[0]?.close()
  const token = await tokenOf('operator')
  await expect.poll(async () => (await open(token)).status).toBe(200)
  const ends = Promise.all(streams.slice(1).map((stream) => stream.rest()))
  await w.t.app.close()
  await ends
})

test('the streams of a workspace are limited, without affecting another workspace', async () => {
  setMax(streamsOfTenant, 2)
  const w = await world()
  const { open, tokenOf } = await listen(w)
  await open(await tokenOf('operator'))
  await open(await tokenOf('viewer'))
  const refused = await (await w.t.as('manager')).get<Problem>('/changes/stream')
  expect(refused).toMatchObject({ status: 429, body: { limit: 'change_streams_of_workspace', size: 2, max: 2 } })
  expect((await open(await tokenOf('viewer', 'other'))).status).toBe(200)
})

test('a HEAD gets the headers of the stream and ends', async () => {
  const w = await world()
  const { status, headers, body } = await (await w.t.as('viewer')).head('/changes/stream')
  expect([status, headers['content-type'], body]).toEqual([200, 'text/event-stream; charset=utf-8', null])
})
