import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { breakWrites } from '../../../../test/break-writes.ts'
import { type Answer, TEST_PASSWORD, type TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { personAt } from '../../../../test/person.ts'
import {
  addInteractionTo,
  addNoteTo,
  createProspect,
  endProspect,
  moveTo,
  type Problem,
} from '../../../../test/prospects.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { createFileWriter } from '../../../store/files/write-file.ts'
import { STORE_FILE } from '../../../store/store.ts'
import type { CsvPreview } from '../../csv-preview/csv-preview.schema.ts'
import { memberActor } from '../../identity/identity.ts'
import { type JobKind, jobKindsOf } from '../../jobs/jobs.ts'
import { reportJob } from '../../reports/reports.jobs.ts'
import { exportJob, KEPT_HOURS, MAX_KEPT } from '../exports.jobs.ts'
import { exportsWithText } from '../exports.queries.ts'
import type { Export } from '../exports.schema.ts'
import { exportBound, writeProspects } from '../write-export.ts'

const HOUR_MS = 3_600_000

async function setUp() {
  const world = await jobWorld([exportJob, reportJob])
  const { t } = world
  const [manager, operator] = [await t.as('manager'), await t.as('operator')]
  const ask = (body: Record<string, unknown> = {}, key = newId(), client: TestClient = manager) =>
    client.post<Export>('/exports', { source: 'prospects', format: 'jsonl', ...body }, { 'idempotency-key': key })
  const see = async (id: string) => (await manager.get<Export>(`/exports/${id}`)).body
  const fetch = (id: string, client: TestClient = manager) => client.get<string>(`/exports/${id}/content`)
  const write = async (body: Record<string, unknown> = {}) => {
    const { body: asked } = await ask(body)
    expect((await world.ended(asked.jobId)).error_message).toBeNull()
    return see(asked.id)
  }
  const written = async (body: Record<string, unknown> = {}) => (await fetch((await write(body)).id)).body
  const folder = join(t.store.dataDir, 'exports')
  const audit = async (action: string) =>
    (await manager.get<{ items: { after: Record<string, unknown> | null }[] }>(`/audit-events?action=${action}`)).body
      .items
  return { ...world, manager, operator, ask, see, fetch, write, written, folder, audit }
}

const tagged = (tag: string) => ({ field: 'tag', op: 'any_of', values: [tag] })
const containing = (q: string) => ({ field: 'q', op: 'contains', values: [q] })

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))

test('an export of prospects contains the matching records, and job and audit record its counts, bytes and hash', async () => {
  const { t, operator, manager, work, write, fetch, audit, ended, folder } = await setUp()
  work()
  const whole = {
    name: '=Windpumps "of", Karoo',
    tags: ['Farm', 'Wind'],
    emails: [{ value: 'A@Karoo.co.za', label: 'desk' }, { value: 'b@karoo.co.za' }],
    phones: [{ value: '082 123 4567', region: 'ZA' }],
    address: { city: 'Prieska', province: 'Northern Cape' },
  }
  const { id } = await createProspect(operator, whole)
  await createProspect(operator, { name: 'Elsewhere' })
  await createProspect(await t.as('operator', 'other'), whole)
  await addNoteTo(operator, id, { text: 'A secret of the owner', sensitive: true })
  const filter = [tagged('farm'), containing('karoo')]
  const made = await write({ format: 'csv', filter })
  expect(made).toMatchObject({ status: 'ready', suppressed: 'leave_out', filter, erasedFields: [] })
  expect(made.file).toMatchObject({ rows: 1, leftOut: 0, marked: 0, removedAt: null })

  const { status, body, headers } = await fetch(made.id)
  expect([status, headers['content-type'], headers['content-length']]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    String(made.file?.bytes),
  ])
  expect(headers['content-disposition']).toBe(`attachment; filename="${made.file?.name}"`)
  // A spreadsheet needs the byte order mark to decode accents correctly.
  expect(body).toMatch(/^\uFEFF"id","name",/)
  const [, line, end] = body.split('\r\n')
  expect(line).toMatch(
    new RegExp(
      `^"${id}","'=Windpumps ""of"", Karoo","","","","","A@Karoo.co.za","b@karoo.co.za","082 123 4567","","","","","","Prieska","Northern Cape",`,
    ),
  )
  expect(line).toContain('"Farm; Wind","","new","no","no"')
  expect([end, body]).not.toContain('secret')
  expect(made.file).toMatchObject({ bytes: Buffer.byteLength(body), sha256: sha256(body) })

  const counts = { rows: 1, leftOut: 0, marked: 0, bytes: made.file?.bytes, sha256: made.file?.sha256 }
  expect(JSON.parse((await ended(made.jobId)).result_json ?? '')).toEqual({ exportId: made.id, ...counts })
  expect((await audit('export.write'))[0]?.after).toMatchObject({ ...counts, suppressed: 'leave_out' })
  expect((await audit('export.request'))[0]?.after).toMatchObject({
    filter: [tagged('farm'), { field: 'q', op: 'contains' }],
  })
  expect(JSON.stringify(await audit('export.request'))).not.toContain('karoo')
  expect((await audit('export.download'))[0]?.after).toEqual({ rows: 1, bytes: counts.bytes, sha256: counts.sha256 })
  expect(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])).toEqual([
    [`${made.id}.csv`, 0o600],
    [`${made.id}.values`, 0o600],
  ])
  expect((await manager.get<Problem>(`/exports/${newId()}/content`)).status).toBe(404)
  expect((await fetch(made.id, await t.as('administrator', 'other'))).status).toBe(404)
})

test('a file for spreadsheets has the signs of its country, local times, phones as text, follow-up and last interaction', async () => {
  const { t, operator, manager, work, write, fetch } = await setUp()
  work()
  const phones = [{ value: '0821234567', region: 'ZA' }, { value: '555 1018' }]
  const { id } = await createProspect(operator, { name: 'Karoo; Pumps', phones })
  const occurredAt = t.clock().toISOString()
  await addInteractionTo(operator, id, { occurredAt, followUpOn: '2026-12-14' })
  const spreadsheet = { separator: 'semicolon', decimal: 'comma' }
  const made = await write({ format: 'csv', spreadsheet })
  expect(made.spreadsheet).toEqual({ ...spreadsheet, timeZone: 'Africa/Johannesburg' })
  const [head = '', line = ''] = (await fetch(made.id)).body.split('\r\n')
  const names = head.replace('\uFEFF', '').split(';')
  const cells = line.split(';"').map((cell) => cell.replaceAll('"', ''))
  const cell = (name: string) => cells[names.indexOf(`"${name}"`)]
  const local = Temporal.Instant.from(occurredAt).toZonedDateTimeISO('Africa/Johannesburg').toPlainDateTime()
  expect([cell('name'), cell('phone'), cell('follow-up')]).toEqual(['Karoo; Pumps', '(+27) 82 123 4567', '2026-12-14'])
  expect(cell('last interaction (Africa/Johannesburg)')).toBe(
    local.toString({ smallestUnit: 'minute' }).replace('T', ' '),
  )
  expect((await write({ format: 'csv' })).spreadsheet).toBeNull()

  const refused = await manager.post<Problem>(
    '/exports',
    { source: 'prospects', format: 'jsonl', spreadsheet },
    { 'idempotency-key': newId() },
  )
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, 'spreadsheet'])
})

test('numbers are exported as typed, in JSON with their country, and read from CSV again once it is chosen', async () => {
  const { operator, work, written } = await setUp()
  work()
  const phones = [
    { value: '(847) 488-9988', region: 'US' },
    { value: '082 123 4567', region: null },
  ]
  await createProspect(operator, { name: 'Prairie Pumps', phones: phones.slice(0, 1) })
  await createProspect(operator, { name: 'Karoo Pumps', phones: phones.slice(1) })
  const lines = rowsOf(await written({ format: 'jsonl' }))
  expect(lines.map((line) => line.phones)).toEqual(phones.map((phone) => [{ ...phone, label: null }]))
  const csv = Buffer.from(await written({ format: 'csv' }))
  const preview = (query: string) =>
    operator.post<CsvPreview>(`/csv-previews${query}`, csv, { 'content-type': 'text/csv' })
  const read = (await preview('?phoneRegion=US')).body
  expect(read.totals.problems).toEqual([{ code: 'invalid_phone_number', cells: 1 }])
  expect(read.totals.matchingRows).toBe(1)
  expect((await preview('')).body.totals.problems).toEqual([{ code: 'phone_without_country', cells: 2 }])
})

test('a HEAD of a file asks the gate and returns its headers, without content and without an audit event', async () => {
  const { manager, operator, fetch, audit, work, write, t } = await setUp()
  work()
  await createProspect(operator, { phones: [{ value: '+27 82 123 4567' }] })
  const { id } = await write()
  const told = await manager.head(`/exports/${id}/content`)
  expect(told).toMatchObject({ status: 200, body: null })
  expect(await audit('export.download')).toEqual([])
  const got = await fetch(id)
  for (const name of ['content-type', 'content-length', 'content-disposition'])
    expect([name, told.headers[name]]).toEqual([name, got.headers[name]])
  t.clock.advance(1_000)
  await operator.post('/suppressions', {
    kind: 'phone',
    value: '+27821234567',
    reason: 'They asked.',
    channel: 'phone',
  })
  expect((await manager.head(`/exports/${id}/content`)).status).toBe(409)
})

test('requesting and downloading a file require a recent proof of identity; reading about exports does not', async () => {
  const { t, work, ended, see, fetch } = await setUp()
  work()
  const manager = personAt(t)
  await manager.signIn('manager@home.example')
  const key = newId()
  const ask = () =>
    manager.post<Export & Pick<Problem, 'code'>>(
      '/exports',
      { source: 'prospects', format: 'csv' },
      { 'idempotency-key': key },
    )
  const { body: made } = await ask()
  await ended(made.jobId)
  t.clock.advance(15 * 60_000)
  const changes = await t.changes(async () => {
    for (const answer of [await ask(), await manager.get<Problem>(`/exports/${made.id}/content`), await fetch(made.id)])
      expect(answer).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect((await manager.head(`/exports/${made.id}/content`)).status).toBe(403)
    expect((await see(made.id)).status).toBe('ready')
  })
  // The session's row changes, because it records its last use.
  expect({ ...changes, sessions: 0 }).toEqual({ sessions: 0 })
  expect((await manager.post('/session/mfa', { password: TEST_PASSWORD })).status).toBe(200)
  expect(await ask()).toMatchObject({ status: 201, body: { id: made.id } })
  expect((await manager.get(`/exports/${made.id}/content`)).status).toBe(200)
})

test('the same key and request make one file; an export without a key, or an invalid one, is refused', async () => {
  const { t, ask, manager } = await setUp()
  const key = newId()
  const first = await ask({}, key)
  expect((await ask({}, key)).body.id).toBe(first.body.id)
  const refused: [Record<string, unknown>, string][] = [
    [{ source: 'report' }, 'reportId'],
    [{ reportId: newId() }, 'reportId'],
    [{ source: 'report', reportId: newId(), filter: [tagged('x')] }, 'filter'],
    [{ source: 'report', reportId: newId(), suppressed: 'mark' }, 'suppressed'],
    [{ format: 'xlsx' }, 'format'],
    [{ filter: [{ field: 'doNotContact', op: 'any_of', values: ['true'] }] }, 'filter.0.values.0'],
    [{ filter: [{ field: 'size', op: 'any_of', values: [1] }] }, 'filter.0.field'],
  ]
  const changes = await t.changes(async () => {
    for (const [body, path] of refused) {
      const { status, body: problem } = (await ask(body)) as Answer<unknown> as Answer<Problem>
      expect([status, problem.errors?.map((error) => error.path)]).toEqual([400, [path]])
    }
    const keyless = await manager.post<Problem>('/exports', { source: 'prospects', format: 'csv' })
    expect(keyless.body.code).toBe('idempotency_key_required')
    expect((await ask({}, newId(), await t.as('operator'))).status).toBe(403)
  })
  expect(changes).toEqual({})
})

test('do-not-contact records are omitted and counted, or marked without contact values; by hand, by an entry, by evidence', async () => {
  const { operator, work, write, fetch, written, audit } = await setUp()
  work()
  const blocked = await createProspect(operator, { name: 'By hand', emails: [{ value: 'hand@karoo.co.za' }] })
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'They asked.' })
  await createProspect(operator, {
    name: 'By entry',
    phones: [{ value: '+27 82 123 4567' }],
    domains: [{ value: 'x.co.za' }],
  })
  await operator.post('/suppressions', {
    kind: 'phone',
    value: '0821234567',
    region: 'ZA',
    reason: 'Asked.',
    channel: 'phone',
  })
  await createProspect(operator, { name: 'Free', emails: [{ value: 'free@karoo.co.za' }] })
  const left = await write()
  expect(left.file).toMatchObject({ rows: 1, leftOut: 2, marked: 0 })
  expect(rowsOf((await fetch(left.id)).body).map(({ name }) => name)).toEqual(['Free'])
  const marked = await write({ suppressed: 'mark' })
  expect(marked.file).toMatchObject({ rows: 3, leftOut: 0, marked: 2 })
  expect(rowsOf((await fetch(marked.id)).body)).toMatchObject([
    { name: 'By hand', doNotContact: true, emails: [], phones: [], domains: [] },
    { name: 'By entry', doNotContact: true, emails: [], phones: [], domains: [] },
    { name: 'Free', doNotContact: false, emails: [{ value: 'free@karoo.co.za' }] },
  ])
  const csv = await written({ suppressed: 'mark', format: 'csv' })
  for (const value of ['hand@karoo', '123 4567', 'x.co.za']) expect(csv).not.toContain(value)
  expect((await audit('export.write')).map(({ after }) => [after?.suppressed, after?.leftOut, after?.marked])).toEqual([
    ['mark', 0, 2],
    ['mark', 0, 2],
    ['leave_out', 2, 0],
  ])
})

test('a record that the gate withholds while writing is omitted, although nothing has marked it yet', async () => {
  const { t, operator, work, write } = await setUp()
  work()
  await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  // Delete the keys, as they are before the re-evaluation by new rules reaches the record.
  await t.store.write('upkeep', async (db) => {
    await db.deleteFrom('suppression_record_keys').execute()
    return { keep: true, value: undefined }
  })
  await operator.post('/suppressions', { kind: 'email', value: 'jan@karoo.co.za', reason: 'Asked.', channel: 'email' })
  expect((await write()).file).toMatchObject({ rows: 0, leftOut: 1 })
  expect((await write({ suppressed: 'mark' })).file).toMatchObject({ rows: 1, marked: 1 })
})

test('a file cannot be downloaded once a value in it is do not contact: by an entry, by hand, by an edited value, by an end', async () => {
  const { t, operator, work, write, fetch, audit } = await setUp()
  work()
  const { id, version } = await createProspect(operator, { name: 'A', emails: [{ value: 'old@karoo.co.za' }] })
  const other = await createProspect(operator, { name: 'B', emails: [{ value: 'b@karoo.co.za' }] })
  const suppress = (value: string) =>
    operator.post('/suppressions', { kind: 'email', value, reason: 'Asked.', channel: 'email' })
  const handedOut = async ({ id: exportId }: Export) => {
    const { status, body } = await fetch(exportId)
    return status === 200 ? 'yes' : (body as unknown as Problem).code
  }
  const first = await write()
  await suppress('nobody@karoo.co.za')
  expect(await handedOut(first)).toBe('yes')
  // The record has another address now, but the file still contains the old one.
  await operator.patch(`/businesses/${id}`, { emails: [{ value: 'new@karoo.co.za' }] }, { 'if-match': `"${version}"` })
  await suppress('old@karoo.co.za')
  expect(await handedOut(first)).toBe('export_outdated')
  const second = await write()
  expect(second.file).toMatchObject({ rows: 2, leftOut: 0 })
  await operator.post(`/businesses/${other.id}/do-not-contact`, { reason: 'Asked.' })
  expect(await handedOut(second)).toBe('export_outdated')
  const third = await write({ suppressed: 'mark' })
  expect([third.file?.marked, await handedOut(third)]).toEqual([1, 'yes'])
  await endProspect(t, id, { status: 'merged', into: other.id })
  expect(await handedOut(third)).toBe('export_outdated')
  // Merge the record twice. The last survivor is blocked only afterwards.
  const low = await createProspect(operator, { tags: ['low'] })
  const [middle, top] = [await createProspect(operator), await createProspect(operator)]
  const fourth = await write({ filter: [tagged('low')] })
  await endProspect(t, low.id, { status: 'merged', into: middle.id })
  await endProspect(t, middle.id, { status: 'merged', into: top.id })
  expect(await handedOut(fourth)).toBe('yes')
  await operator.post(`/businesses/${top.id}/do-not-contact`, { reason: 'Asked.' })
  expect(await handedOut(fourth)).toBe('export_outdated')
  expect(await audit('export.download')).toHaveLength(3)
})

test.for([
  ['by hand', 'export_outdated'],
  ['by an entry', 'export_outdated'],
  ['by an edit to the value of an entry', 'export_outdated'],
  ['by a value removed from another record', 'export_outdated'],
  ['by an entry for another record in each round', 'conflict'],
] as const)('a file is withheld when a checked record is blocked %s', async ([how, code]) => {
  const { t, operator, work, write, fetch, audit } = await setUp()
  const worker = work()
  const { id } = await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  const other = await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  const suppress = (value: string) =>
    operator.post('/suppressions', { kind: 'email', value, reason: 'Asked.', channel: 'email' })
  await suppress('shut@karoo.co.za')
  await operator.post(`/businesses/${other.id}/do-not-contact`, { reason: 'Asked.' })
  const made = await write()
  // From this point only the download writes.
  await worker.stop()
  const blocks = {
    'by hand': () => operator.post(`/businesses/${id}/do-not-contact`, { reason: 'Asked.' }),
    'by an entry': () => suppress('jan@karoo.co.za'),
    'by an edit to the value of an entry': () =>
      operator.patch(`/businesses/${id}`, { emails: [{ value: 'shut@karoo.co.za' }] }, { 'if-match': '"1"' }),
    'by a value removed from another record': () =>
      operator.patch(`/businesses/${other.id}`, { emails: [] }, { 'if-match': '"2"' }),
    'by an entry for another record in each round': () => suppress(`${newId()}@elsewhere.co.za`),
  }
  const { write: change } = t.store
  const blockFirst: typeof change = async (...given) => {
    t.store.write = change
    expect((await blocks[how]()).status).toBeLessThan(300)
    if (code === 'conflict') t.store.write = blockFirst
    return change(...given)
  }
  t.store.write = blockFirst
  expect((await fetch(made.id)).body).toMatchObject({ code })
  t.store.write = change
  expect(await audit('export.download')).toEqual([])
})

test('with more prospects than one batch of the gate, each is written once and checked again; above the limits there is no file', async () => {
  const { t, operator, work, write, fetch } = await setUp()
  work()
  const ids: string[] = []
  for (let one = 0; one < 51; one++)
    ids.push((await createProspect(operator, { emails: [{ value: `person${one}@karoo.co.za` }] })).id)
  const made = await write()
  expect(rowsOf((await fetch(made.id)).body).map(({ id }) => id)).toEqual(ids)
  await operator.post(`/businesses/${ids[0]}/do-not-contact`, { reason: 'They asked.' })
  expect((await fetch(made.id)).status).toBe(409)

  const { id: tenantId, users } = t.tenants.home
  const actor = await memberActor(t.store.reader, { tenantId, userId: users.manager.id }, newId())
  if (actor === undefined) throw new Error('The manager is a member.')
  const export51 = async (maxRows: number, maxBytes = exportBound.maxBytes) => {
    const content = await createFileWriter(join(t.store.dataDir, 'bounded'), { ...exportBound, maxBytes })
    const layout = { format: 'jsonl', spreadsheet: null, suppressed: 'mark' } as const
    const wanted = { store: t.store, actor, conditions: [], ...layout, maxRows }
    const signal = new AbortController().signal
    return writeProspects(
      { ...wanted, signal, onPart: () => {}, onRecord: () => {} },
      { content, values: content },
    ).finally(content.close)
  }
  expect(await export51(51)).toEqual({ rows: 51, leftOut: 0, marked: 1 })
  await expect(export51(50)).rejects.toMatchObject({ code: 'too_large' })
  await expect(export51(51, 1_000)).rejects.toMatchObject({ code: 'too_large' })
})

test('an export that is retried after the limit of kept files keeps its file; older files are deleted first', async () => {
  const { t, manager, work, ask, ended, write, see } = await setUp()
  const [{ body: first }, { body: second }] = [await ask(), await ask()]
  for (const { jobId } of [first, second])
    expect((await manager.post(`/jobs/${jobId}/cancellation`, {})).status).toBe(200)
  work()
  const others: Export[] = []
  for (let further = 0; further < MAX_KEPT; further += 1) {
    t.clock.advance(1_000)
    others.push(await write())
  }
  const retry = async ({ id, jobId }: Export) => {
    const { id: tenantId, users } = t.tenants.home
    const again = t.withSession(await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' }))
    const { status, body } = await again.post<{ id: string }>(
      `/jobs/${jobId}/retry`,
      {},
      { 'idempotency-key': newId() },
    )
    expect([status, (await ended(body.id)).status]).toEqual([202, 'succeeded'])
    return (await again.get<Export>(`/exports/${id}`)).body.status
  }
  expect(await retry(first)).toBe('ready')
  t.clock.advance(1_000)
  await write()
  const statuses = [first, ...others.slice(0, 3)].map(async ({ id }) => (await see(id)).status)
  expect(await Promise.all(statuses)).toEqual(['ready', 'removed', 'removed', 'ready'])
  // By this clock the retried file is older than all others.
  t.clock.advance(-HOUR_MS)
  expect(await retry(second)).toBe('ready')
})

test('a file is kept for a day, up to a maximum per tenant; a deleted file states the reason', async () => {
  const { t, work, write, see, fetch, folder } = await setUp()
  work()
  const first = await write()
  for (let further = 0; further < MAX_KEPT; further += 1) await write()
  expect(await see(first.id)).toMatchObject({ status: 'removed', file: { removedBecause: 'replaced' } })
  expect(readdirSync(folder)).toHaveLength(MAX_KEPT * 2)
  expect((await fetch(first.id)).status).toBe(410)
  const last = await write()
  const { id: tenantId, users } = t.tenants.home
  const signInAgain = async () =>
    t.withSession(await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' }))
  t.clock.advance(KEPT_HOURS * HOUR_MS - 2)
  const inTime = await signInAgain()
  expect((await fetch(last.id, inTime)).status).toBe(200)
  // Make the file expire while the gate checks it.
  const { write: writeNow } = t.store
  t.store.write = (...handingOut) => {
    t.store.write = writeNow
    t.clock.advance(2)
    return writeNow(...handingOut)
  }
  expect((await fetch(last.id, inTime)).status).toBe(410)
  const again = await signInAgain()
  expect((await fetch(last.id, again)).status).toBe(410)
  expect((await again.get<Export>(`/exports/${last.id}`)).body.status).toBe('expired')
  const statements = watchStatements()
  await upkeepOf('exports', t.store)
  vi.restoreAllMocks()
  expect(readdirSync(folder)).toEqual([])
  // Jobs are never deleted, so a query must not scan the jobs of other kinds.
  const ofJobs = askedOf(statements).filter(({ sql }) => sql.includes('"jobs"'))
  expect([ofJobs.length, findPlans(t.store, ofJobs).walking]).toEqual([1, []])
})

test('the deletion of a file is recorded once, also with concurrent searches', async () => {
  const { t, work, write } = await setUp()
  work()
  await write()
  t.clock.advance(KEPT_HOURS * HOUR_MS)
  await Promise.all([upkeepOf('exports', t.store), upkeepOf('exports', t.store)])
  const told = t.store.reader.selectFrom('audit_events').select('action').where('action', '=', 'export.remove')
  expect(await told.execute()).toHaveLength(1)
})

test('files of a tenant expire when those of another tenant cannot be deleted, and that one loses nothing', async () => {
  const { t, work, ask, ended, write, folder } = await setUp()
  work()
  const mine = await write()
  const { body: theirs } = await ask({}, newId(), await t.as('manager', 'other'))
  await ended(theirs.jobId)
  t.clock.advance(KEPT_HOURS * HOUR_MS)
  await breakWrites(t, 'export_files', `NEW.tenant_id = '${t.tenants.home.id}'`, 'UPDATE')
  await expect(upkeepOf('exports', t.store)).rejects.toThrow(AggregateError)
  expect(readdirSync(folder)).toEqual([`${mine.id}.jsonl`, `${mine.id}.values`])
})

test('a file is deleted when the clock was set back since it was written: it would be kept longer than a day', async () => {
  const { t, work, write, fetch, folder } = await setUp()
  work()
  const { id } = await write()
  const { id: tenantId, users } = t.tenants.home
  t.clock.advance(-HOUR_MS)
  const manager = t.withSession(await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' }))
  expect((await fetch(id, manager)).status).toBe(410)
  await upkeepOf('exports', t.store)
  expect(readdirSync(folder)).toEqual([])
})

test('a start deletes leftovers of a killed run; files of running jobs stay; a file lost by a restore is recorded', async () => {
  const { t, work, ask, write, see, folder } = await setUp()
  const { body: waiting } = await ask()
  const worker = work()
  const made = await write()
  await worker.stop()
  const { body: running } = await ask()
  for (const id of [running.id, newId()]) writeFileSync(join(folder, `${id}.jsonl.a-claim.part`), 'half')
  await upkeepOf('exports', t.store)
  expect(readdirSync(folder).some((name) => name.startsWith(running.id))).toBe(true)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toHaveLength(1)
  expect(readFileSync(join(folder, `${waiting.id}.jsonl`), 'utf8')).toBe('')
  rmSync(folder, { recursive: true })
  await upkeepOf('exports', t.store)
  expect(await see(made.id)).toMatchObject({ status: 'removed', file: { removedBecause: 'missing' } })
  expect(existsSync(folder)).toBe(true)
})

test('a file is served only unaltered, and only with all the values to check beside it', async () => {
  const { manager, operator, work, write, fetch, folder } = await setUp()
  work()
  await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  const { id } = await write()
  const [content, values] = [join(folder, `${id}.jsonl`), join(folder, `${id}.values`)]
  const isRefused = async () => {
    expect((await fetch(id)).status).toBe(410)
    expect((await manager.head(`/exports/${id}/content`)).status).toBe(410)
  }
  for (const file of [content, values]) {
    const written = readFileSync(file, 'utf8')
    for (const other of ['', written.slice(0, -9), written.replace('jan@', 'ann@')]) {
      writeFileSync(file, other)
      await isRefused()
    }
    rmSync(file)
    await isRefused()
    writeFileSync(file, written)
    expect((await fetch(id)).status).toBe(200)
  }
})

test('deactivated prospects are exported by their condition, and the file is handed out until one of them is erased', async () => {
  const { t, operator, work, write, fetch } = await setUp()
  work()
  const { id } = await createProspect(operator, { name: 'Twice' })
  await createProspect(operator, { name: 'Once' })
  await operator.post(`/businesses/${id}/deactivation`, { reason: 'Entered twice.' })
  const made = await write({ filter: [{ field: 'status', op: 'any_of', values: ['inactive'] }] })
  expect(rowsOf((await fetch(made.id)).body).map(({ name }) => name)).toEqual(['Twice'])
  const administrator = await t.as('administrator')
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
  expect((await fetch(made.id)).status).toBe(410)
})

test('an erasure empties search texts, and an export that was not written yet is refused rather than widened', async () => {
  const { t, operator, work, ask, ended, see } = await setUp()
  const { id } = await createProspect(operator)
  await createProspect(operator, { name: 'Elsewhere' })
  const { body: asked } = await ask({ filter: [containing('windpumps')] })
  const { body: whole } = await ask()
  const administrator = await t.as('administrator')
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'The person asked.' })).status).toBe(200)
  t.clock.advance(1)
  work()
  expect(await ended(asked.jobId)).toMatchObject({ status: 'failed', error_code: 'export_outdated' })
  expect(await see(asked.id)).toMatchObject({ status: 'failed', filter: [], erasedFields: ['q'], file: null })
  expect((await ended(whole.jobId)).status).toBe('succeeded')
  expect((await see(whole.id)).file).toMatchObject({ rows: 1 })
})

test('names and roles in a filter are not in the audit, and an erasure empties them', async () => {
  const { t, operator, audit, ask, see } = await setUp()
  const { id } = await createProspect(operator)
  await operator.post(`/businesses/${id}/people`, { name: 'Thandi Nkosi', role: 'Quarry buyer' })
  const person = { field: 'person', op: 'contains', values: ['thandi'] }
  const role = { field: 'role', op: 'any_of', values: ['Quarry buyer'] }
  const { body: asked } = await ask({ filter: [person, role] })
  expect(asked.filter).toEqual([person, role])
  expect(JSON.stringify(await audit('export.request'))).not.toMatch(/thandi|quarry/i)
  const administrator = await t.as('administrator')
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'She asked.' })).status).toBe(200)
  expect(await see(asked.id)).toMatchObject({ filter: [], erasedFields: ['person', 'role'] })
})

test('an export with a stored day before 1900 is written, and one with an unreadable condition is refused without the mention of an erasure', async () => {
  const { t, work, ask, ended, see } = await setUp()
  const day = { field: 'followUp', op: 'between', values: ['0026-11-21', null] }
  const refused = await ask({ filter: [day] })
  expect(refused.body).toMatchObject({
    errors: [{ path: 'filter.0.values.0', message: expect.stringContaining('1900') }],
  })
  const [early, unknown] = [(await ask()).body, (await ask()).body]
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  connection.exec('DROP TRIGGER exports_keeps_rows')
  const store = connection.prepare('UPDATE exports SET filter_json = ? WHERE id = ?')
  store.run(JSON.stringify([day]), early.id)
  store.run(JSON.stringify([{ ...day, field: 'shoeSize' }]), unknown.id)
  connection.close()
  work()
  expect(await ended(early.jobId)).toMatchObject({ status: 'succeeded' })
  expect(await see(early.id)).toMatchObject({ filter: [day] })
  expect(await ended(unknown.jobId)).toMatchObject({
    error_code: 'export_outdated',
    error_message: 'This version of the product cannot read a filter of this export. Request it again.',
  })
})

test('an erasure reads only exports with a text condition, in parts', async () => {
  const { t, ask } = await setUp()
  const state = { field: 'state', op: 'any_of', values: ['new'] }
  const { body: stated } = await ask({ filter: [state] })
  const { body: named } = await ask({ filter: [state, tagged('Wind')] })
  const { id: tenantId } = t.tenants.home
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  const copy = connection.prepare(`
    WITH RECURSIVE made (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM made LIMIT 300)
    INSERT INTO exports (tenant_id, id, job_id, source, report_id, format, suppressed, filter_json, created_at, created_by)
      SELECT tenant_id, id || '-' || value, job_id, source, report_id, format, suppressed, filter_json, created_at, created_by
    FROM exports, made WHERE id = ?`)
  for (const { id } of [stated, named]) copy.run(id)
  connection.close()
  // Reads of this turn share a transaction that began before.
  await setImmediate()
  const parts: string[][] = []
  for await (const part of exportsWithText(t.store.reader, tenantId)) parts.push(part.map(({ id }) => id))
  expect(parts.map(({ length }) => length)).toEqual([250, 51])
  expect(parts.flat().every((id) => id.startsWith(named.id))).toBe(true)
})

test('an export that was written during an erasure is discarded', async () => {
  const { t, operator, work, ask, ended, folder } = await setUp()
  const { id } = await createProspect(operator)
  const administrator = await t.as('administrator')
  const interrupted: JobKind = {
    ...exportJob,
    run: (context, input) => {
      const effect: typeof context.effect = async (...given) => {
        expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')).toContain(id)
        expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
        return context.effect(...given)
      }
      return exportJob.run({ ...context, effect }, input)
    },
  }
  work({ kinds: jobKindsOf([interrupted]) })
  const { body: asked } = await ask()
  expect(await ended(asked.jobId)).toMatchObject({ status: 'failed', error_code: 'export_outdated' })
  expect(readdirSync(folder)).toEqual([])
})

test('an export of a report shows a removed member by the pseudonym only', async () => {
  const { t, operator, manager, work, written, ended } = await setUp()
  work()
  const { id: businessId } = await createProspect(operator)
  await addInteractionTo(operator, businessId)
  const question = { from: '2026-11-01', to: '2026-11-30' }
  const { body: report } = await manager.post<{ id: string; jobId: string }>('/reports', question, {
    'idempotency-key': newId(),
  })
  await ended(report.jobId)
  const wanted = { source: 'report', reportId: report.id }
  expect(await written({ ...wanted, format: 'csv' })).toContain('Home operator')
  const { id } = t.tenants.home.users.operator
  expect((await (await t.as('administrator')).delete(`/users/${id}`)).status).toBe(204)
  for (const format of ['csv', 'jsonl']) {
    const text = await written({ ...wanted, format })
    expect(text).toContain(`Former user ${id.slice(-4)}`)
    expect(text).not.toContain('Home operator')
  }
})

test('a report is exported as it was made, cell by cell or figure by figure', async () => {
  const { manager, operator, work, written, ended, ask, audit } = await setUp()
  const { id } = await createProspect(operator, { tags: ['Wind'] })
  await moveTo(operator, id, 'contacted')
  await addInteractionTo(operator, id, { outcome: 'connected' })
  const question = { name: '=November', from: '2026-11-01', to: '2026-11-30', filter: { tag: 'Wind' } }
  const { body: report } = await manager.post<{ id: string; jobId: string }>('/reports', question, {
    'idempotency-key': newId(),
  })
  const wanted = { source: 'report', reportId: report.id }
  expect((await ask(wanted)).body).toMatchObject({ code: 'export_not_ready' })
  work()
  await ended(report.jobId)
  const [head, ...figures] = rowsOf(await written(wanted))
  expect(head).toMatchObject({ report: { id: report.id, from: '2026-11-01' }, businesses: 1 })
  expect(figures.map(({ figure }) => (figure as { key: string }).key)).toContain('pipeline_by_state')
  const csv = (await written({ ...wanted, format: 'csv' })).split('\r\n')
  expect(csv[0]).toBe(
    '\uFEFF"report","from","to","time zone","as of","filter","figures version","made at","figure","semantics","row","column","value","counts"',
  )
  const asked = `"'=November","2026-11-01","2026-11-30","Africa/Johannesburg","2026-11-21T`
  const lines = csv.slice(1, -1)
  expect(lines.filter((line) => !line.startsWith(asked) || !line.includes('{""tag"":""wind""}'))).toEqual([])
  expect(csv).toContainEqual(expect.stringMatching(/"Pipeline by state","latest_state","1","State","new",/))
  const totals = lines.flatMap(
    (line) => /"([^"]*)","[a-z_]+","total","([^"]*)","(\d+)"/.exec(line)?.slice(1).join(' ') ?? [],
  )
  expect(totals).toEqual([
    'Pipeline by state Businesses 1',
    'Moves Moves 1',
    'Interactions by outcome Interactions 1',
    'Interactions by person Interactions 1',
    'Time in state Stays 1',
    'Evidence Businesses 1',
    'Do not contact Businesses 1',
  ])
  expect((await audit('export.write'))[0]?.after).toMatchObject({ source: 'report' })
})
