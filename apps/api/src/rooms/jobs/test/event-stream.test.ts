import { expect, onTestFinished, test } from 'vitest'
import { type JobWorld, jobWorld, testKind, work } from '../../../../test/job-world.ts'
import { setMax } from '../../../../test/set-max.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { openStore } from '../../../store/store.ts'
import { migrations } from '../../migrations.ts'
import { jobStreamsOfPerson, jobStreamsOfTenant } from '../events/event-stream.ts'
import type { JobEvent } from '../jobs.schema.ts'
import { jobKindsOf } from '../jobs.ts'

const SESSION_OVER_MS = 9 * 3_600_000

type Stream = {
  status: number
  type: string | null
  /** Waits for the next event and returns it, or undefined if the stream has ended. */
  next(): Promise<JobEvent | undefined>
  /** Waits until the stream ends and returns all events. */
  rest(): Promise<JobEvent[]>
  close(): void
}

async function listen({ t }: JobWorld) {
  const base = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const { id: tenantId, users } = t.tenants.home
  const token = await t.startSession({ tenantId, userId: users.operator.id, role: 'operator' })
  const open = async (jobId: string, query = '', headers: Record<string, string> = {}): Promise<Stream> => {
    const controller = new AbortController()
    onTestFinished(() => controller.abort())
    const answer = await fetch(`${base}/api/v1/jobs/${jobId}/events/stream${query}`, {
      headers: { cookie: `prospect_session=${token}`, ...headers },
      signal: controller.signal,
    })
    const frames = framesOf(answer)
    const next = async () => (await frames.next()).value ?? undefined
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      next,
      rest: async () => {
        const all: JobEvent[] = []
        for (let event = await next(); event !== undefined; event = await next()) all.push(event)
        return all
      },
      close: () => controller.abort(),
    }
  }
  return { open, token }
}

async function* framesOf(answer: Response): AsyncGenerator<JobEvent, undefined> {
  let text = ''
  if (answer.body === null) return undefined
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (data === undefined) continue
      const event: JobEvent = JSON.parse(data)
      expect(frame).toContain(`id: ${event.sequence}\nevent: job\n`)
      yield event
    }
  }
  return undefined
}

const sequences = (events: readonly JobEvent[]) => events.map(({ sequence }) => sequence)

/** Creates a job that takes one step each time the test releases it. */
function steppingWorld() {
  const waiting: (() => void)[] = []
  const kind = testKind(async ({ checkpoint }) => {
    for (let step = 1; step <= 3; step++) {
      await new Promise<void>((resolve) => waiting.push(resolve))
      await checkpoint({ step })
    }
    return undefined
  })
  const step = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.shift()?.()
  }
  return { kind, step }
}

test('events arrive as they are written, each once and in order, and the stream ends after the job’s last', async () => {
  const { kind, step } = steppingWorld()
  const world = await jobWorld([kind])
  const { open } = await listen(world)
  const { id } = await world.create()
  const stream = await open(id)
  expect(stream).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' })
  expect(await stream.next()).toMatchObject({ sequence: 1, type: 'created' })
  world.work()
  expect(await stream.next()).toMatchObject({ sequence: 2, type: 'started' })
  for (const sequence of [3, 4, 5]) {
    await step()
    expect(await stream.next()).toMatchObject({ sequence, type: 'checkpoint', data: { state: { step: sequence - 2 } } })
  }
  expect(await stream.rest()).toMatchObject([{ sequence: 6, type: 'succeeded' }])
})

test('a reconnecting reader continues after the last received event, by header or by query, and misses nothing', async () => {
  const { kind, step } = steppingWorld()
  const world = await jobWorld([kind])
  const { open } = await listen(world)
  const { id } = await world.create()
  const first = await open(id)
  world.work()
  expect([(await first.next())?.sequence, (await first.next())?.sequence]).toEqual([1, 2])
  first.close()
  await step()
  await world.until(id, ({ last_sequence }) => last_sequence === 3)
  const byHeader = await open(id, '?after=0', { 'last-event-id': '2' })
  const byQuery = await open(id, '?after=1')
  for (let n = 0; n < 2; n++) await step()
  expect(sequences(await byHeader.rest())).toEqual([3, 4, 5, 6])
  expect(sequences(await byQuery.rest())).toEqual([2, 3, 4, 5, 6])
  for (const seen of ['x', '0x2', '2e0']) expect((await open(id, '', { 'last-event-id': seen })).status).toBe(400)
  expect(sequences(await (await open(id, '?after=6')).rest())).toEqual([])
  expect((await open(id, '', { 'last-event-id': '7' })).status).toBe(409)
})

test('events of another process arrive as well', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const { open } = await listen(world)
  const { id } = await world.create()
  const stream = await open(id)
  const elsewhere = openStore({ migrations, dataDir: world.t.store.dataDir, clock: world.t.clock })
  onTestFinished(() => elsewhere.close())
  work({ store: elsewhere, kinds: jobKindsOf([testKind(async () => undefined)]) })
  expect(sequences(await stream.rest())).toEqual([1, 2, 3])
})

test('a stream ends when its session ends, and when the server stops', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const { open, token } = await listen(world)
  const { id } = await world.create()
  const revoked = await open(id)
  await revoked.next()
  await world.t.withSession(token).delete('/session')
  expect(await revoked.rest()).toEqual([])
  expect((await open(id)).status).toBe(401)
})

test('a stream does not keep its session alive: it ends when the session idles out', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const { open } = await listen(world)
  const { id } = await world.create()
  const stream = await open(id)
  await stream.next()
  world.t.clock.advance(SESSION_OVER_MS)
  expect(await stream.rest()).toEqual([])
})

test('a stream ends when its session must complete a step first', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const { open } = await listen(world)
  const { id } = await world.create()
  const stream = await open(id)
  await stream.next()
  await (await writerOf(world.t.store)).updateTable('users').set({ must_change_password: 1 }).execute()
  expect(await stream.rest()).toEqual([])
})

test('the streams of a person are limited; a stopping server ends them all', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const { open } = await listen(world)
  const { id } = await world.create()
  const streams = await Promise.all(Array.from({ length: jobStreamsOfPerson.max }, () => open(id)))
  expect((await open(id)).status).toBe(429)
  expect(await world.operator.get(`/jobs/${id}/events/stream`)).toMatchObject({
    status: 429,
    body: { code: 'too_many_streams', limit: 'job_streams', size: jobStreamsOfPerson.max },
  })
  setMax(jobStreamsOfTenant, jobStreamsOfPerson.max)
  const colleague = await world.t.as('manager')
  expect(await colleague.get(`/jobs/${id}/events/stream`)).toMatchObject({
    status: 429,
    body: { code: 'too_many_streams', limit: 'job_streams_of_workspace' },
  })
  streams[0]?.close()
  await expect.poll(async () => (await open(id)).status).toBe(200)
  const ends = Promise.all(streams.slice(1).map((stream) => stream.rest()))
  await world.t.app.close()
  await ends
})

test('a HEAD gets the headers of the stream, and ends while the job is still queued', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const operator = await world.t.as('operator')
  const { id } = await world.create()
  const { status, headers, body } = await operator.head(`/jobs/${id}/events/stream`)
  expect([status, headers['content-type'], body]).toEqual([200, 'text/event-stream; charset=utf-8', null])
  expect((await operator.head('/jobs/nobody/events/stream')).status).toBe(404)
})

test('a foreign job has no stream', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const { open } = await listen(world)
  const other = await world.t.as('operator', 'other')
  const foreign = await world.create({}, other)
  expect((await open(foreign.id)).status).toBe(404)
})
