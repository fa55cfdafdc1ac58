import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import { askMerge, merged, suggestedPair, suggestionOfPair } from '../../../test/merging.ts'
import {
  addInteractionTo,
  createProspect,
  endProspect,
  happened,
  type ListPage,
  type Problem,
  walk,
} from '../../../test/prospects.ts'
import { outcomes } from '../../lib/interaction-outcome.ts'
import type { AuditEvent } from '../audit/audit.schema.ts'
import type { Business } from '../businesses/businesses.ts'
import { type Interaction, limits } from './interactions.schema.ts'
import { channels } from './interactions.table.ts'

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  return { t, operator, id, path: `/businesses/${id}/interactions` }
}

const SUMMARY = 'Nomsa asked for prices of the small windpump; her brother decides.'

test('an interaction is stored as given with its author; the audit contains its kind but not its text, and nothing else changes', async () => {
  const { t, operator, id, path } = await setUp()
  const { users } = t.tenants.home
  const body = {
    occurredAt: '2026-11-20T11:00:00+02:00',
    channel: 'meeting',
    direction: 'inbound',
    outcome: 'meeting_held',
    summary: SUMMARY,
    participants: ['Nomsa Dlamini', 'Piet Botha'],
    followUpOn: '2026-12-01',
  }
  const kept: Interaction[] = []
  const changes = await t.changes(async () => {
    const answer = await operator.post<Interaction>(path, body)
    expect(answer.status).toBe(201)
    kept.push(answer.body)
  })
  expect(changes).toEqual({ interactions: 1, businesses: 0, audit_events: 1 })
  const [interaction] = kept
  expect(interaction).toEqual({
    ...body,
    id: expect.any(String),
    businessId: id,
    occurredAt: '2026-11-20T09:00:00.000Z',
    correctsId: null,
    correctedById: null,
    personId: null,
    onDoNotContact: false,
    createdAt: t.clock().toISOString(),
    createdBy: { kind: 'user', id: users.operator.id, name: users.operator.name },
  })
  const [event] = (await operator.get<ListPage<AuditEvent>>(`/businesses/${id}/activity`)).body.items
  expect(event).toMatchObject({
    action: 'interaction.add',
    subject: { type: 'interaction', id: interaction?.id },
    after: {
      occurredAt: '2026-11-20T09:00:00.000Z',
      channel: 'meeting',
      direction: 'inbound',
      outcome: 'meeting_held',
      followUpOn: '2026-12-01',
      correctsId: null,
      onDoNotContact: false,
      summaryCharacters: SUMMARY.length,
      participants: 2,
    },
  })
})

test('summary and participants are stored in the interaction only: no audit event, no stored response, no other table', async () => {
  const { t, operator, path } = await setUp()
  const secret = 'Nomsa Dlamini'
  await operator.post(path, { ...happened, summary: SUMMARY, participants: [secret] }, { 'idempotency-key': 'k' })
  const { rows: tables } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'business_search_index%'`.execute(
    t.store.reader,
  )
  const holding: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(t.store.reader)
    if ([SUMMARY, secret].some((text) => JSON.stringify(rows).includes(text))) holding.push(name)
  }
  expect(holding).toEqual(['interactions'])
})

test('every outcome and channel of the vocabulary is accepted, and none moves the prospect or changes its version', async () => {
  const { operator, id, path } = await setUp()
  for (const outcome of outcomes) expect((await operator.post(path, { ...happened, outcome })).status).toBe(201)
  for (const channel of channels) expect((await operator.post(path, { ...happened, channel })).status).toBe(201)
  const { body, headers } = await operator.get<Business>(`/businesses/${id}`)
  expect([body.pipelineState, headers.etag]).toEqual(['new', '"1"'])
  expect(await walk(operator, `/businesses/${id}/pipeline-transitions`)).toEqual([])
})

test('a correction is a new interaction that refers to the old one; both stay and are marked, and nothing is corrected twice', async () => {
  const { t, operator, id, path } = await setUp()
  const wrong = await addInteractionTo(operator, id, { outcome: 'no_answer' })
  const right = await addInteractionTo(operator, id, { outcome: 'connected', correctsId: wrong.id })
  const listed = await walk<Interaction>(operator, path)
  expect(listed.map(({ id: one, correctsId, correctedById }) => [one, correctsId, correctedById])).toEqual([
    [right.id, wrong.id, null],
    [wrong.id, null, right.id],
  ])
  const again = await operator.post<Problem>(path, { ...happened, correctsId: wrong.id })
  expect(again).toMatchObject({ status: 409, body: { code: 'interaction_already_corrected' } })
  const { id: neighbour } = await createProspect(operator)
  const elsewhere = await operator.post<Problem>(`/businesses/${neighbour}/interactions`, {
    ...happened,
    correctsId: right.id,
  })
  expect(elsewhere).toMatchObject({
    status: 404,
    body: { code: 'not_found', errors: [{ path: 'correctsId', code: 'not_found' }] },
  })
  expect(await t.changes(() => operator.post(path, { ...happened, correctsId: wrong.id }))).toEqual({})
})

test('on a do not contact prospect an interaction is recorded as history, marked as such, and lifts nothing', async () => {
  const { operator, id, path } = await setUp()
  await addInteractionTo(operator, id)
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const called = await addInteractionTo(operator, id, { direction: 'inbound', occurredAt: '2026-11-20T10:00:00Z' })
  expect(called.onDoNotContact).toBe(true)
  expect((await walk<Interaction>(operator, path)).map(({ onDoNotContact }) => onDoNotContact)).toEqual([true, false])
  const { body } = await operator.get<Business>(`/businesses/${id}`)
  expect(body.doNotContact).not.toBeNull()
})

test('interactions are listed by time of occurrence, latest first, in pages, without duplicates, even with equal times', async () => {
  const { operator, id, path } = await setUp()
  const days = ['03', '01', '02', '02', '02', '04']
  for (const day of days) await addInteractionTo(operator, id, { occurredAt: `2026-11-${day}T08:00:00Z` })
  const listed = await walk<Interaction>(operator, path, 2)
  expect(listed.map(({ occurredAt }) => occurredAt.slice(8, 10))).toEqual(['04', '03', '02', '02', '02', '01'])
  expect(new Set(listed.map(({ id: one }) => one)).size).toBe(days.length)
})

test('interactions of a merged record are listed by time of occurrence, not by time of entry', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  for (const [id, day] of [
    [b, '03'],
    [a, '02'],
    [b, '01'],
    [a, '04'],
  ] as const)
    await addInteractionTo(manager, id, { occurredAt: `2026-11-${day}T08:00:00Z` })
  await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const listed = await walk<Interaction>(manager, `/businesses/${a}/interactions`, 3)
  expect(listed.map(({ occurredAt }) => occurredAt.slice(8, 10))).toEqual(['04', '03', '02', '01'])
})

test('an invalid outcome, a future time or a long text is refused with its field, and nothing is written', async () => {
  const { t, operator, path } = await setUp()
  const inMs = (ms: number) => new Date(t.clock().getTime() + ms).toISOString()
  const tolerated = 5 * 60_000
  const refused: [Record<string, unknown>, string][] = [
    [{ occurredAt: inMs(tolerated + 1) }, 'occurredAt'],
    [{ occurredAt: 'yesterday' }, 'occurredAt'],
    [{ occurredAt: undefined }, 'occurredAt'],
    [{ channel: 'fax' }, 'channel'],
    [{ direction: 'sideways' }, 'direction'],
    [{ outcome: 'do_not_contact' }, 'outcome'],
    [{ summary: 'x'.repeat(limits.summaryLength + 1) }, 'summary'],
    [{ summary: 'bell \u0007' }, 'summary'],
    [{ participants: Array.from({ length: limits.participants + 1 }, () => 'A') }, 'participants'],
    [{ participants: ['two\nlines'] }, 'participants.0'],
    [{ followUpOn: '2026-02-30' }, 'followUpOn'],
    [{ sentAt: '2026-01-01T00:00:00Z' }, 'sentAt'],
  ]
  const problems: Problem[] = []
  const changes = await t.changes(async () => {
    for (const [body] of refused) problems.push((await operator.post<Problem>(path, { ...happened, ...body })).body)
  })
  expect(changes).toEqual({})
  expect(problems.map(({ status, errors }) => [status, errors?.[0]?.path])).toEqual(
    refused.map(([, field]) => [400, field]),
  )
  expect((await operator.post(path, { ...happened, occurredAt: inMs(tolerated) })).status).toBe(201)
})

test('a merged or inactive business accepts no interaction and still lists its own', async () => {
  const { t, operator, id, path } = await setUp()
  const kept = await addInteractionTo(operator, id)
  await endProspect(t, id, { status: 'inactive' })
  const answers: Problem[] = []
  const changes = await t.changes(async () => {
    answers.push((await operator.post<Problem>(path, happened)).body)
  })
  expect([answers, changes]).toMatchObject([[{ status: 422, code: 'business_not_active' }], {}])
  expect(await walk(operator, path)).toEqual([kept])
})

test('no route edits or deletes an interaction', async () => {
  const { operator, id, path } = await setUp()
  const { id: interactionId } = await addInteractionTo(operator, id)
  for (const target of [path, `${path}/${interactionId}`]) {
    expect((await operator.patch(target, { outcome: 'won' }, { 'if-match': '"1"' })).status).toBe(404)
    expect((await operator.delete(target)).status).toBe(404)
  }
})
