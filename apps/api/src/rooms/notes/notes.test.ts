import { sql } from 'kysely'
import { test } from 'vitest'
import { type Answer, buildTestApp } from '../../../test/build-app.ts'
import { addNoteTo, createProspect, endProspect, type ListPage, type Problem, walk } from '../../../test/prospects.ts'
import type { AuditEvent } from '../audit/audit.schema.ts'
import { roles } from '../identity/permissions.ts'
import { NOTE_LENGTH, type Note } from './notes.schema.ts'

const SECRET = 'Owner is under debt review; keep this to ourselves.'

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  return { t, operator, id, path: `/businesses/${id}/notes` }
}

test('a note is stored as typed with its author and time, audited by its length only, and nothing else changes', async ({
  expect,
}) => {
  const { t, operator, id, path } = await setUp()
  const { users } = t.tenants.home
  // The text has more brackets after a quotation mark than the depth limit allows outside of a string.
  const typed = '  Twee reëls.\n\tDie tweede: “ja” 🙂 \\"[[[[[[[[[[[[[[  '
  const answers: Answer<Note>[] = []
  const changes = await t.changes(async () => {
    answers.push(await operator.post<Note>(path, { text: typed }))
  })
  expect(changes).toEqual({ notes: 1, audit_events: 1 })
  const [added] = answers
  expect(added?.status).toBe(201)
  expect(added?.body).toEqual({
    id: expect.any(String),
    businessId: id,
    text: typed,
    sensitive: false,
    redacted: false,
    author: { kind: 'user', id: users.operator.id, name: users.operator.name },
    createdAt: t.clock().toISOString(),
  })
  const [event] = (await operator.get<ListPage<AuditEvent>>(`/businesses/${id}/activity`)).body.items
  expect(event).toMatchObject({
    action: 'note.add',
    subject: { type: 'note', id: added?.body.id },
    businessId: id,
    actor: { kind: 'user', id: users.operator.id },
    before: null,
    after: { sensitive: false, characters: typed.length },
    reason: null,
    correlationId: added?.headers['x-request-id'],
  })
})

test('only its author, administrators and managers read the text of a sensitive note', async ({ expect }) => {
  const { t, operator, path } = await setUp()
  const { body: note } = await operator.post<Note>(path, { text: SECRET, sensitive: true })
  expect(note).toMatchObject({ sensitive: true, redacted: false, text: SECRET })
  for (const role of roles) {
    const mayRead = role !== 'viewer'
    const { items } = (await (await t.as(role)).get<ListPage<Note>>(path)).body
    expect([role, items]).toEqual([role, [{ ...note, redacted: !mayRead, text: mayRead ? SECRET : null }]])
  }
})

test('a replayed key returns a sensitive note as its author may read it, to the author only', async ({ expect }) => {
  const { t, operator, path } = await setUp()
  const manager = await t.as('manager')
  const body = { text: SECRET, sensitive: true }
  const ask = async (client: typeof manager, key: string) => {
    const { status, body: note, headers } = await client.post<Note & Problem>(path, body, { 'idempotency-key': key })
    return status === 201 ? [note.text, note.redacted, headers['idempotency-replayed']] : [status, note.code]
  }
  expect(await ask(manager, 'first by the manager')).toEqual([SECRET, false, undefined])
  expect(await ask(manager, 'first by the manager')).toEqual([SECRET, false, 'true'])
  expect(await ask(operator, 'first by the manager')).toEqual([422, 'idempotency_key_reused'])
  expect(await ask(operator, 'first by the operator')).toEqual([SECRET, false, undefined])
  expect(await ask(operator, 'first by the operator')).toEqual([SECRET, false, 'true'])
  expect(await ask(manager, 'first by the operator')).toEqual([422, 'idempotency_key_reused'])
})

test('the text of a note is stored in the note only: no audit event, no stored response, no other table', async ({
  expect,
}) => {
  const { t, path } = await setUp()
  const manager = await t.as('manager')
  const texts = [SECRET, 'Prefers to be called Monday mornings.']
  await manager.post(path, { text: texts[0], sensitive: true }, { 'idempotency-key': 'a' })
  await manager.post(path, { text: texts[1] }, { 'idempotency-key': 'b' })
  const { rows: tables } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'business_search_index%'`.execute(
    t.store.reader,
  )
  const holding: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(t.store.reader)
    if (texts.some((text) => JSON.stringify(rows).includes(text))) holding.push(name)
  }
  expect(holding).toEqual(['notes'])
  const events = JSON.stringify(await walk(manager, '/audit-events', 100))
  expect(texts.filter((text) => events.includes(text))).toEqual([])
})

test('notes are listed newest first, in pages, without duplicates, even with equal times', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  const written: string[] = []
  for (let index = 0; index < 7; index++) written.push((await addNoteTo(operator, id, { text: `Note ${index}` })).id)
  await addNoteTo(operator, (await createProspect(operator)).id, { text: 'Of another prospect' })
  const notes = await walk<Note>(operator, path, 3)
  expect(notes.map((note) => note.id)).toEqual(written.toReversed())
})

test('a note added while another person pages does not shift the pages', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  const written: string[] = []
  for (let index = 0; index < 4; index++) written.push((await addNoteTo(operator, id)).id)
  const first = (await operator.get<ListPage<Note>>(`${path}?limit=2`)).body
  await addNoteTo(operator, id)
  const second = (await operator.get<ListPage<Note>>(`${path}?limit=2&cursor=${first.page.nextCursor}`)).body
  expect([...first.items, ...second.items].map((note) => note.id)).toEqual(written.toReversed())
  expect(second.page.nextCursor).toBeNull()
})

test('a cursor of one business’s notes is refused for another’s', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  const { id: neighbour } = await createProspect(operator)
  for (const business of [id, id, neighbour, neighbour]) await addNoteTo(operator, business)
  const { nextCursor } = (await operator.get<ListPage<Note>>(`${path}?limit=1`)).body.page
  const answer = await operator.get<Problem>(`/businesses/${neighbour}/notes?limit=1&cursor=${nextCursor}`)
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor', code: 'invalid_cursor' }] } })
})

test('text must be there, printable, whole and no longer than allowed; what is not writes nothing', async ({
  expect,
}) => {
  const { t, operator, path } = await setUp()
  const refused = [
    {},
    { text: null },
    { text: 7 },
    { text: '' },
    { text: ' \n\t ' },
    { text: 'bell \u0007' },
    { text: 'null \u0000' },
    { text: 'x'.repeat(NOTE_LENGTH + 1) },
    { text: 'x', sensitive: 'yes' },
    { text: 'x', sensitive: null },
    '{"text":"half \\ud83d"}',
  ]
  const problems: Problem[] = []
  const changes = await t.changes(async () => {
    for (const body of refused) problems.push((await operator.post<Problem>(path, body)).body)
  })
  expect(changes).toEqual({})
  expect(problems.map(({ status, code, errors }) => [status, code, errors?.[0]?.path])).toEqual(
    refused.map((body) => [
      400,
      'invalid_request',
      typeof body === 'object' && 'sensitive' in body ? 'sensitive' : 'text',
    ]),
  )
  expect((await operator.post(path, { text: 'x'.repeat(NOTE_LENGTH) })).status).toBe(201)
})

test('a merged or inactive business accepts no note and still lists its own', async ({ expect }) => {
  const { t, operator, id, path } = await setUp()
  const note = await addNoteTo(operator, id)
  const { id: survivor } = await createProspect(operator)
  for (const end of [{ status: 'inactive' }, { status: 'merged', into: survivor }] as const) {
    await endProspect(t, id, end)
    const answers: Problem[] = []
    const changes = await t.changes(async () => {
      answers.push((await operator.post<Problem>(path, { text: 'Too late.' })).body)
    })
    expect([answers, changes]).toMatchObject([[{ status: 422, code: 'business_not_active' }], {}])
    expect(await walk(operator, path)).toEqual([note])
  }
})

test('no route edits or deletes a note, and the business keeps its version', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  const { id: noteId } = await addNoteTo(operator, id)
  for (const target of [path, `${path}/${noteId}`, `/notes/${noteId}`]) {
    expect((await operator.patch(target, { text: 'Changed.' }, { 'if-match': '"1"' })).status).toBe(404)
    expect((await operator.delete(target)).status).toBe(404)
  }
  expect((await operator.get(`/businesses/${id}`)).headers.etag).toBe('"1"')
})
