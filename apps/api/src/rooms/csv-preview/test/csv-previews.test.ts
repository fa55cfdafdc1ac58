import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { type Answer, buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { createProspect, type ListPage, type Problem } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import { UPLOADS_FOLDER } from '../../../store/files/store-files.ts'
import type { CsvPreview, CsvRowPage } from '../csv-preview.schema.ts'
import { READ_AT_ONCE_BYTES } from '../csv-previews.ts'
import { heldLimits, heldPreviewsOf } from '../held-previews.ts'

type Row = CsvRowPage['items'][number]

function upload<T = CsvPreview>(
  client: TestClient,
  file: string | Buffer,
  query = '',
  headers: Record<string, string | undefined> = {},
): Promise<Answer<T>> {
  return client.post<T>(`/csv-previews${query}`, Buffer.from(file), { 'content-type': 'text/csv', ...headers })
}

async function rowsOf(client: TestClient, { id }: CsvPreview, show = 'all'): Promise<Row[]> {
  return (await client.get<ListPage<Row>>(`/csv-previews/${id}/rows?show=${show}`)).body.items
}

/** Returns the files in the upload folders of this process and of other processes. */
function leftBehind(t: TestApp): string[] {
  const root = join(t.store.dataDir, UPLOADS_FOLDER)
  return existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [entry.name] : [],
      )
    : []
}

const file = [
  'Company,Telephone,E-mail,Website,Town,Remarks',
  'Karoo Bakery,+27 82 123 4567,info@karoo.co.za,karoo.co.za,Graaff-Reinet,',
  'Sunrise Motors,082 555 0000,not an address,sunrise motors,Upington,=1+1',
  ',+27 21 555 0123,hello@table.co.za,,Cape Town,',
  'Second Bakery,+27821234567,INFO@karoo.co.za,,Graaff-Reinet,',
].join('\r\n')

test('a file is read at once: dialect, columns, problems by cell, and totals', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { status, body, headers } = await upload(operator, file)
  expect(status).toBe(201)
  expect(headers.location).toBe(`/api/v1/csv-previews/${body.id}`)
  expect(body).toMatchObject({
    dialect: { encoding: 'utf-8', delimiter: 'comma', quote: 'double', hasHeader: true, lineEnds: 'crlf' },
    doubts: { encoding: null, delimiter: null, header: null },
    fault: null,
    kept: { rows: 4, flaggedRows: 4 },
  })
  expect(body.columns.map(({ name, field }) => [name, field])).toEqual([
    ['Company', 'name'],
    ['Telephone', 'phone'],
    ['E-mail', 'email'],
    ['Website', 'domain'],
    ['Town', 'address.city'],
    ['Remarks', 'note'],
  ])
  expect(body.totals).toMatchObject({
    rows: 4,
    rowsWithProblems: 2,
    duplicateRows: 2,
    matchingRows: 0,
    malformedRows: 0,
  })
  const rows = await rowsOf(operator, body)
  expect(rows.map(({ problems }) => problems)).toEqual([
    [],
    [
      { column: 2, code: 'phone_without_country' },
      { column: 3, code: 'not_an_email_address' },
      { column: 4, code: 'malformed' },
      { column: 6, code: 'formula' },
    ],
    [{ column: 1, code: 'missing_name' }],
    [],
  ])
  expect(rows[0]?.duplicates).toEqual([
    { column: 2, kind: 'phone', row: 4 },
    { column: 3, kind: 'email', row: 4 },
  ])
  expect(rows[3]?.duplicates).toEqual([
    { column: 2, kind: 'phone', row: 1 },
    { column: 3, kind: 'email', row: 1 },
  ])
})

test('the choices of the person apply: dialect, columns and the country of local numbers', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { body } = await upload(
    operator,
    'x;082 555 0000\n',
    '?header=false&delimiter=semicolon&mapping=1:name,2:phone&phoneRegion=ZA',
  )
  expect(body.dialect).toMatchObject({ hasHeader: false, delimiter: 'semicolon' })
  expect(body.columns.map(({ field }) => field)).toEqual(['name', 'phone'])
  expect(body.totals).toMatchObject({ rows: 1, rowsWithProblems: 0 })
})

test('local numbers of a file are read by the country chosen for it, not by the country of the tenant', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  await (await t.as('administrator')).patch('/tenant', { country: 'US' }, { 'if-match': '"1"' })
  const american = [
    'NAME,PHONENUMBER',
    'One for the Road,(847) 488-9988',
    'Bellevue,(626) 204-2266',
    'Arroyo,626-204-2266',
    'Menu,12346',
  ].join('\n')
  const totalsWith = async (query: string) => (await upload(operator, american, query)).body.totals
  expect(await totalsWith('')).toMatchObject({
    rowsWithProblems: 4,
    problems: [{ code: 'phone_without_country', cells: 4 }],
  })
  expect(await totalsWith('?phoneRegion=US')).toMatchObject({
    rowsWithProblems: 1,
    problems: [{ code: 'invalid_phone_number', cells: 1 }],
    duplicateRows: 2,
  })
  const { status, body } = await upload<Problem>(operator, american, '?phoneRegion=UK')
  expect([status, body.errors?.[0]?.path]).toEqual([400, 'phoneRegion'])
})

test('a line of the header is chosen, and a contradiction is refused', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { body } = await upload(operator, 'Clients of May\nName,Email\nKaroo,info@karoo.co.za\n', '?headerLine=2')
  expect(body).toMatchObject({ dialect: { hasHeader: true, headerLine: 2 }, totals: { rows: 1, rowsBeforeHeader: 1 } })
  for (const query of ['headerLine=2&header=false', 'headerLine=0', 'headerLine=21']) {
    const { status, body: refused } = await upload<Problem>(operator, 'a,b\n', `?${query}`)
    expect([status, refused.errors?.[0]?.path]).toEqual([400, 'headerLine'])
  }
})

test.for([
  ['1:name,2:name', 'Only one column can be name.'],
  ['1:name,1:email', 'Column 1 is named twice.'],
  ['0:name', 'Write a column and its field, such as 1:name,3:email.'],
  ['', 'Write a column and its field, such as 1:name,3:email.'],
  ['1:secret', 'Write a column and its field, such as 1:name,3:email.'],
])('the mapping %s is refused', async ([mapping, message]) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const changes = await t.changes(async () => {
    const { status, body } = await upload<Problem>(operator, file, `?mapping=${mapping}`)
    expect([status, body.errors?.[0]]).toMatchObject([400, { path: 'mapping', message }])
  })
  expect(changes).toEqual({})
})

test('rows with values of known records name the record and its block', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const known = await createProspect(operator, { name: 'Known', emails: [{ value: 'info@karoo.co.za' }] })
  const blocked = await createProspect(operator, { name: 'Blocked', phones: [{ value: '+27215550123' }] })
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'Asked' })
  await createProspect(await t.as('operator', 'other'), { name: 'Theirs', domains: [{ value: 'karoo.co.za' }] })
  const { body } = await upload(operator, file)
  expect(body.totals).toMatchObject({ matchingRows: 3, doNotContactRows: 1 })
  const rows = await rowsOf(operator, body, 'flagged')
  expect(rows.map(({ matches, doNotContact }) => [matches.map(({ businessId }) => businessId), doNotContact])).toEqual([
    [[known.id], false],
    [[], false],
    [[blocked.id], true],
    [[known.id], false],
  ])
})

test('a row is do not contact even if only the newest of many records with its number is blocked, and that record is named', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const branches: string[] = []
  for (let n = 0; n < 7; n++)
    branches.push((await createProspect(operator, { name: `Branch ${n}`, phones: [{ value: '+27215550123' }] })).id)
  await operator.post(`/businesses/${branches[6]}/do-not-contact`, { reason: 'Asked' })
  const { body } = await upload(operator, 'name,phone\r\nOne,+27215550123\r\nTwo,+27 21 555 0123\r\n')
  expect(body.totals).toMatchObject({ matchingRows: 2, doNotContactRows: 2, unknownRows: 0 })
  for (const { matches, doNotContact } of await rowsOf(operator, body)) {
    expect(doNotContact).toBe(true)
    expect(matches.map(({ businessId }) => businessId)).toEqual([...branches.slice(0, 5), branches[6]])
  }
})

test('rows that a suppression entry matches are marked in any spelling; entries of another tenant mark none', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const manager = await t.as('manager')
  const entries = [
    { kind: 'phone', value: '+27825550000' },
    { kind: 'domain', value: 'karoo.co.za' },
  ]
  for (const entry of entries) {
    const { status } = await manager.post(
      '/suppressions',
      { ...entry, reason: 'objection', channel: 'email' },
      { 'idempotency-key': entry.value },
    )
    expect(status).toBe(201)
  }
  const { body } = await upload(operator, file)
  expect(body.totals).toMatchObject({ doNotContactRows: 3, unknownRows: 0 })
  const rows = await rowsOf(operator, body)
  // The number of the second row has no country. Suppression compares it as a South African number.
  expect(rows.map(({ suppressed, doNotContact }) => [suppressed, doNotContact])).toEqual([
    [[3, 4], true],
    [[2], true],
    [[], false],
    [[3], true],
  ])
  const { body: theirs } = await upload(await t.as('operator', 'other'), file)
  expect(theirs.totals).toMatchObject({ doNotContactRows: 0, unknownRows: 0 })
})

test('nothing of the file is stored or logged: one audit event with counts, size and hash is the only write', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const changes = await t.changes(async () => {
    await upload(operator, 'quagga,quagga@quagga.example\n"quagga\n', '?mapping=1:name,2:email')
  })
  expect(changes).toEqual({ audit_events: 1 })
  const { body } = await (await t.as('manager')).get<ListPage<Record<string, unknown>>>('/audit-events')
  expect(body.items.find(({ action }) => action === 'source.preview')).toMatchObject({
    action: 'source.preview',
    subject: { type: 'csv_preview' },
    after: {
      rows: 1,
      columns: 2,
      malformedRows: 1,
      fault: null,
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
  expect(JSON.stringify(body) + t.logged()).not.toContain('quagga')
  expect(leftBehind(t)).toEqual([])
})

test('a preview is visible to its creator only, in its own tenant, for minutes', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { body } = await upload(operator, file)
  for (const stranger of [await t.as('administrator'), await t.as('operator', 'other')]) {
    for (const path of [`/csv-previews/${body.id}`, `/csv-previews/${body.id}/rows`])
      expect(await stranger.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect((await operator.get(`/csv-previews/${body.id}`)).body).toEqual(body)
  t.clock.advance(16 * 60_000)
  expect((await operator.get(`/csv-previews/${body.id}`)).status).toBe(404)
})

test('previews are limited per person and per process: the oldest is removed', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const made: string[] = []
  for (let n = 0; n <= heldLimits.ofAPerson; n++) made.push((await upload(operator, file)).body.id)
  const seen = () => Promise.all(made.map(async (id) => (await operator.get(`/csv-previews/${id}`)).status))
  expect(await seen()).toEqual([404, 200, 200, 200])
  const { id: tenantId, users } = t.tenants.home
  const held = heldPreviewsOf(t.store)
  const preview = held.get({ tenantId, userId: users.operator.id }, made.at(-1) ?? '')
  if (preview.status !== 'ready') throw new Error('It was read.')
  for (let n = 1; n < heldLimits.inAll; n++)
    held.hold({ ...preview, id: newId(), owner: { tenantId, userId: newId() } })
  expect(await seen()).toEqual([404, 404, 404, 200])
})

test('a replayed key has no further effect, and another file with it is refused', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const key = { 'idempotency-key': 'once' }
  const first = await upload(operator, file, '', key)
  const changes = await t.changes(async () => {
    const again = await upload(operator, file, '', key)
    expect(again).toMatchObject({
      status: 201,
      body: { id: first.body.id },
      headers: { 'idempotency-replayed': 'true' },
    })
    expect(await upload(operator, `${file}\r\n`, '', key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
  })
  expect(changes).toEqual({})
})

test.for(['small', 'large'])(
  'a %s file with the key of another person is refused, and their preview is not affected',
  async (size) => {
    const t = await buildTestApp()
    const [operator, manager] = [await t.as('operator'), await t.as('manager')]
    const sent = size === 'small' ? file : file.repeat(Math.ceil(READ_AT_ONCE_BYTES / file.length))
    const key = { 'idempotency-key': 'once' }
    const { body } = await upload(operator, sent, '', key)
    const changes = await t.changes(async () => {
      const refused = await upload(manager, sent, '', key)
      expect(refused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      expect(JSON.stringify(refused)).not.toContain(body.id)
    })
    expect(changes).toEqual({})
    expect((await operator.get(`/csv-previews/${body.id}`)).status).toBe(200)
    expect((await manager.get(`/csv-previews/${body.id}`)).status).toBe(404)
  },
)

test.for(['small', 'large'])(
  'a %s file of a user disabled during the upload is refused, and nothing is written or left',
  async (size) => {
    const t = await buildTestApp()
    const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
    const path = `/users/${t.tenants.home.users.operator.id}`
    async function* sentMeanwhile() {
      yield Buffer.from(file)
      expect((await administrator.patch(path, { status: 'disabled' }, { 'if-match': '"1"' })).status).toBe(200)
      yield Buffer.from(size === 'small' ? file : file.repeat(Math.ceil(READ_AT_ONCE_BYTES / file.length)))
    }
    const body = Readable.from(sentMeanwhile())
    const answer = await operator.post<Problem>('/csv-previews', body, { 'content-type': 'text/csv' })
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_required'])
    const written = t.store.reader
      .selectFrom('audit_events')
      .select('action')
      .where('action', 'in', ['source.preview', 'job.create'])
    expect(await written.execute()).toEqual([])
    expect(leftBehind(t)).toEqual([])
  },
)

test('a file above the limit, of another type or without permission is refused, and leaves nothing', async () => {
  const t = await buildTestApp({ config: { csvMaxBytes: 1_000 } })
  const [operator, viewer] = [await t.as('operator'), await t.as('viewer')]
  const large = 'a,b\n'.repeat(300)
  const changes = await t.changes(async () => {
    const answers = [
      await upload<Problem>(operator, large),
      await upload<Problem>(operator, file, '', { 'content-type': 'application/json' }),
      await upload<Problem>(operator, file, '', { 'content-type': 'text/plain' }),
      await upload<Problem>(operator, file, '', { 'x-csrf-token': undefined }),
      await upload<Problem>(viewer, file),
      await upload<Problem>(t.visitor(), file),
      await upload<Problem>(operator, file, '?surprise=1'),
    ]
    expect(answers[0]?.body).toMatchObject({ limit: 'csv_file', size: large.length, max: expect.any(Number) })
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [413, 'too_large'],
      [415, 'unsupported_media_type'],
      [415, 'unsupported_media_type'],
      [403, 'csrf_token_invalid'],
      [403, 'permission_denied'],
      [401, 'authentication_required'],
      [400, 'invalid_request'],
    ])
  })
  expect(changes).toEqual({})
  expect(leftBehind(t)).toEqual([])
})

test('pages of rows continue after the last one, and a cursor of another list is refused', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { body } = await upload(
    operator,
    `name\n${Array.from({ length: 5 }, (_, row) => `Business ${row}`).join('\n')}\n`,
  )
  const path = `/csv-previews/${body.id}/rows`
  const first = await operator.get<ListPage<Row>>(`${path}?limit=2`)
  expect(first.body.page).toMatchObject({ limit: 2, returned: 2, total: { value: 5, counts: 'matching_set' } })
  const cursor = encodeURIComponent(first.body.page.nextCursor ?? '')
  const second = await operator.get<ListPage<Row>>(`${path}?limit=200&cursor=${cursor}`)
  expect(second.body.items.map(({ row }) => row)).toEqual([3, 4, 5])
  expect((await operator.get(`${path}?show=flagged&cursor=${cursor}`)).status).toBe(400)
  const beyond = (after: number) => operator.get<ListPage<Row>>(`${path}?show=flagged&after=${after}`)
  expect((await beyond(2_147_483_647)).body.items).toEqual([])
  expect((await beyond(2_147_483_648)).status).toBe(400)
})

test('every row can be listed, at any place, and a page of long rows ends early and goes on', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  // Longer than several pieces of the content in memory, and with rows of two lines.
  const all = Array.from({ length: 3_000 }, (_, n) => [`Firm ${n}`, n % 7 === 0 ? `two\nlines ${n}` : 'é'.repeat(300)])
  const text = all.map(([name, note]) => `${name},"${note}"\n`).join('')
  const { body } = await upload(operator, `name,note\n${text}`)
  expect(body).toMatchObject({ totals: { rows: 3_000 }, kept: { rows: 3_000 } })
  const path = `/csv-previews/${body.id}/rows?limit=200`
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const { items, page } = (await operator.get<ListPage<Row>>(`${path}${cursor}`)).body
    found.push(...items.map(({ cells: [name = ''] }) => name))
    if (page.nextCursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  expect(found).toEqual(all.map(([name]) => name))
  const place = await operator.get<ListPage<Row>>(`${path}&after=2799`)
  expect(place.body.items[0]).toMatchObject({ row: 2_800, cells: all[2_799] })
  expect((await operator.get<ListPage<Row>>(`${path}&after=3000`)).body.items).toEqual([])

  const long = `name,a,b,c\n${`x,${'y'.repeat(1_000)},${'y'.repeat(1_000)},${'y'.repeat(900)}\n`.repeat(400)}`
  const { body: wide } = await upload(operator, long)
  const first = await operator.get<ListPage<Row>>(`/csv-previews/${wide.id}/rows?limit=200`)
  expect(first.body.page.returned).toBe(200)
  const wider = `${'c,'.repeat(20)}c\n${`${`${'y'.repeat(1_000)},`.repeat(20)}z\n`.repeat(100)}`
  const { body: widest } = await upload(operator, wider, '?header=true')
  const { body: page } = await operator.get<ListPage<Row>>(`/csv-previews/${widest.id}/rows?limit=200`)
  expect(page.page.returned).toBe(50)
  const cursor = encodeURIComponent(page.page.nextCursor ?? '')
  const next = await operator.get<ListPage<Row>>(`/csv-previews/${widest.id}/rows?limit=200&cursor=${cursor}`)
  expect(next.body.items[0]?.row).toBe(51)
})

test('the total of a file whose end is not held says that more rows match than can be listed', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const rows = Array.from(
    { length: 3_000 },
    (_, n) => `Firm ${n},${n % 2 === 0 ? 'no phone' : `"${'é'.repeat(150)}"`}\n`,
  )
  const { body } = await upload(operator, `name,phone\n${rows.join('')}`)
  const held = heldPreviewsOf(t.store)
  const preview = held.get({ tenantId: t.tenants.home.id, userId: t.tenants.home.users.operator.id }, body.id)
  if (preview.status !== 'ready') throw new Error('The file is small.')
  const totalOf = async (show: string) =>
    (await operator.get<ListPage<Row>>(`/csv-previews/${body.id}/rows?show=${show}`)).body.page.total
  expect(await totalOf('all')).toMatchObject({ value: 3_000, counts: 'matching_set' })
  preview.content.blocks.splice(1)
  preview.content.bytes = 262_144
  const { kept } = (await operator.get<CsvPreview>(`/csv-previews/${body.id}`)).body
  expect(kept.rows).toBeLessThan(3_000)
  expect(await totalOf('all')).toMatchObject({ value: kept.rows, counts: 'more_than' })
  expect(await totalOf('flagged')).toMatchObject({ value: kept.flaggedRows, counts: 'more_than' })
})

test('a row is compared with the records as they are when it is listed', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { body } = await upload(operator, file)
  expect((await rowsOf(operator, body)).map(({ matches }) => matches.length)).toEqual([0, 0, 0, 0])
  const { id } = await createProspect(operator, { name: 'New', emails: [{ value: 'info@karoo.co.za' }] })
  const rows = await rowsOf(operator, body)
  expect(rows.map(({ matches }) => matches.map(({ businessId }) => businessId))).toEqual([[id], [], [], [id]])
})

test('a preview in use is held, at most for a working day', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { body } = await upload(operator, file)
  const path = `/csv-previews/${body.id}/rows`
  const quarters = (heldLimits.hoursAtMost * 60) / 10
  for (let n = 1; n < quarters; n++) {
    t.clock.advance(10 * 60_000)
    expect((await operator.get(path)).status).toBe(200)
  }
  t.clock.advance(10 * 60_000)
  expect((await operator.get(path)).status).toBe(404)
})

test('the limits describe the accepted files', async () => {
  const t = await buildTestApp()
  expect((await (await t.as('operator')).get('/csv-previews/limits')).body).toEqual({
    bytes: 10_000_000,
    bytesReadAtOnce: 5_000_000,
    minutesHeld: 15,
    hoursHeldAtMost: 10,
  })
})
