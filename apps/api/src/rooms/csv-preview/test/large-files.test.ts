import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Answer, TestClient } from '../../../../test/build-app.ts'
import { type JobWorld, jobWorld } from '../../../../test/job-world.ts'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import { UPLOADS_FOLDER } from '../../../store/files/store-files.ts'
import { openStore } from '../../../store/store.ts'
import type { Job } from '../../jobs/jobs.schema.ts'
import { migrations } from '../../migrations.ts'
import { csvPreviewJob } from '../csv-preview.jobs.ts'
import type { CsvPreview, CsvPreviewState, CsvRowPage } from '../csv-preview.schema.ts'
import { heldLimits, heldPreviewsOf } from '../held-previews.ts'

type State<Status extends CsvPreviewState['status']> = Extract<CsvPreviewState, { status: Status }>

const line = 'Quagga Traders,quagga@quagga.example,+27821234567\n'
const large = `name,email,phone\n${line.repeat(Math.ceil(5_100_000 / line.length))}`
const rows = large.split('\n').length - 2

function upload<T = State<'reading'>>(
  client: TestClient,
  headers: Record<string, string> = {},
  file = large,
): Promise<Answer<T>> {
  return client.post<T>('/csv-previews', Buffer.from(file), { 'content-type': 'text/csv', ...headers })
}

const world = (): Promise<JobWorld> => jobWorld([csvPreviewJob])

function filesLeft({ t }: JobWorld): number {
  const root = join(t.store.dataDir, UPLOADS_FOLDER)
  return readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}

/** Polls until the preview is no longer being read. This happens shortly after the job ends. */
async function settled(client: TestClient, id: string): Promise<CsvPreviewState> {
  const answer = { body: undefined as CsvPreviewState | undefined }
  await expect
    .poll(async () => {
      answer.body = (await client.get<CsvPreviewState>(`/csv-previews/${id}`)).body
      return answer.body.status
    })
    .not.toBe('reading')
  if (answer.body === undefined) throw new Error('There is no answer.')
  return answer.body
}

async function jobOf({ operator }: JobWorld, { jobId }: State<'reading'>): Promise<Job> {
  return (await operator.get<Job>(`/jobs/${jobId}`)).body
}

test('a large file is received, read by a job that reports progress, and held like a small one; its file is deleted', async () => {
  const w = await world()
  const { status, body, headers } = await upload(w.operator)
  expect([status, headers.location]).toEqual([202, `/api/v1/csv-previews/${body.id}`])
  expect(body).toMatchObject({ status: 'reading', progress: null, file: { bytes: Buffer.byteLength(large) } })
  expect(filesLeft(w)).toBe(1)
  const path = `/csv-previews/${body.id}`
  expect(await w.operator.get(`${path}/rows`)).toMatchObject({ status: 409, body: { code: 'conflict' } })

  w.work()
  await w.ended(body.jobId ?? '')
  const ready = await settled(w.operator, body.id)
  expect(ready).toMatchObject({
    status: 'ready',
    id: body.id,
    file: body.file,
    totals: { rows, duplicateRows: rows },
    kept: { rows, flaggedRows: rows },
  })
  expect((await w.operator.get<ListPage<CsvRowPage['items'][number]>>(`${path}/rows`)).body.items).not.toEqual([])
  expect(filesLeft(w)).toBe(0)
  const events = await w.events(body.jobId ?? '')
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['created', 'started', 'progress', 'succeeded']),
  )
  expect(events.find(({ type }) => type === 'progress')?.data).toMatchObject({
    total: body.file.bytes,
    unit: 'bytes',
  })
  w.t.clock.advance(16 * 60_000)
  expect((await w.operator.get(path)).status).toBe(404)
})

test('job, events, audit and log hold counts, size and hash alone', async () => {
  const w = await world()
  const { body } = await upload(w.operator)
  w.work()
  await w.ended(body.jobId ?? '')
  const job = await jobOf(w, body)
  expect(job.input).toEqual({ previewId: body.id })
  expect(job.result).toMatchObject({ rows, columns: 3, fault: null, sha256: body.file.sha256 })
  const audit = (await (await w.t.as('manager')).get<ListPage<Record<string, unknown>>>('/audit-events')).body.items
  expect(audit.filter(({ action }) => action === 'source.preview')).toMatchObject([
    { subject: { type: 'csv_preview', id: body.id }, after: { rows, sha256: body.file.sha256 } },
  ])
  const said = JSON.stringify([job, await w.events(job.id), audit]) + w.t.logged()
  expect(said.toLowerCase()).not.toContain('quagga')
})

test('it is visible to its creator only, in its own tenant, from the beginning', async () => {
  const w = await world()
  const { body } = await upload(w.operator)
  for (const stranger of [await w.t.as('administrator'), await w.t.as('operator', 'other')])
    expect(await stranger.get(`/csv-previews/${body.id}`)).toMatchObject({ status: 404 })
})

test('cancelled before it is read, it reports so and its file is deleted', async () => {
  const w = await world()
  const { body } = await upload(w.operator)
  await w.operator.post(`/jobs/${body.jobId}/cancellation`, {})
  expect(await settled(w.operator, body.id)).toMatchObject({ status: 'failed', failure: { code: 'cancelled' } })
  expect(filesLeft(w)).toBe(0)
})

test('cancelled while it is read, its job ends cancelled and nothing is held or left', async () => {
  const w = await world()
  const text = `name,email,phone\n${Array.from({ length: 700_000 }, (_, n) => `A ${n},a${n}@b${n}.co.za,+2782${1_000_000 + n}`).join('\n')}`
  const file = text.slice(0, 9_900_000)
  const { body } = await upload(w.operator, {}, file)
  w.work()
  await w.until(body.jobId ?? '', ({ progress_done }) => (progress_done ?? 0) > 0)
  await w.operator.post(`/jobs/${body.jobId}/cancellation`, {})
  expect(await w.ended(body.jobId ?? '')).toMatchObject({ status: 'cancelled', result_json: null })
  expect(await settled(w.operator, body.id)).toMatchObject({ status: 'failed', failure: { code: 'cancelled' } })
  expect(filesLeft(w)).toBe(0)
})

test('a job whose process died fails with a message in the next one, and so does another attempt', async () => {
  const w = await world()
  const { body } = await upload(w.operator)
  // Makes another process run the job. It uses the same store but has neither the file nor the preview.
  const next = openStore({ migrations, dataDir: w.t.store.dataDir, clock: w.t.clock })
  onTestFinished(() => next.close())
  w.work({ store: next })
  // Polls, because a write of another process emits no event in this one.
  await expect.poll(async () => (await jobOf(w, body)).status).toBe('failed')
  expect((await jobOf(w, body)).error).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Upload it again.'),
  })
  const { body: again } = await w.operator.post<Job>(`/jobs/${body.jobId}/retry`, {}, { 'idempotency-key': 'again' })
  await expect.poll(async () => (await w.operator.get<Job>(`/jobs/${again.id}`)).body.status).toBe('failed')
})

test('the same key and file return the same preview, and an expired one is not read again', async () => {
  const w = await world()
  const key = { 'idempotency-key': 'once' }
  const { body } = await upload(w.operator, key)
  const again = await upload(w.operator, key)
  expect(again).toMatchObject({ status: 202, body: { id: body.id }, headers: { 'idempotency-replayed': 'true' } })
  expect(filesLeft(w)).toBe(1)
  w.work()
  await w.ended(body.jobId ?? '')
  expect((await settled(w.operator, body.id)).status).toBe('ready')
  expect(await upload<CsvPreview>(w.operator, key)).toMatchObject({ status: 201, body: { id: body.id } })
  w.t.clock.advance(16 * 60_000)
  expect(await upload<Problem>(w.operator, key)).toMatchObject({ status: 404 })
  expect(filesLeft(w)).toBe(0)
})

test('waiting files are limited per person and per process, and one that waited too long is deleted', async () => {
  const w = await world()
  const uploads = []
  for (let n = 0; n < heldLimits.readingOfAPerson; n++) uploads.push((await upload(w.operator)).body)
  const changes = await w.t.changes(async () => {
    expect(await upload<Problem>(w.operator)).toMatchObject({
      status: 429,
      body: { code: 'queue_full', limit: 'large_csv_files', size: 2, max: 2 },
    })
  })
  expect([changes, filesLeft(w)]).toEqual([{}, heldLimits.readingOfAPerson])
  const { id: tenantId } = w.t.tenants.home
  const held = heldPreviewsOf(w.t.store)
  const waiting = held.findReading(tenantId, uploads[0]?.id ?? '')
  if (waiting === undefined) throw new Error('It waits.')
  const another = () =>
    held.await({ ...waiting, id: newId(), owner: { tenantId, userId: newId() }, remove: () => undefined })
  for (let n = uploads.length; n < heldLimits.readingInAll; n++) another()
  expect(another).toThrow(expect.objectContaining({ code: 'queue_full' }))
  w.t.clock.advance(31 * 60_000)
  expect((await w.operator.get(`/csv-previews/${uploads[0]?.id}`)).status).toBe(404)
  expect(filesLeft(w)).toBe(0)
  w.work()
  expect(await w.ended(uploads[0]?.jobId ?? '')).toMatchObject({ status: 'failed', error_code: 'conflict' })
})

test('the process deletes its files when it ends', async () => {
  const w = await world()
  await upload(w.operator)
  const root = join(w.t.store.dataDir, UPLOADS_FOLDER)
  await w.t.app.close()
  expect(existsSync(root) ? readdirSync(root) : []).toEqual([])
})
