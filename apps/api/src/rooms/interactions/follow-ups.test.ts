import { test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../test/build-app.ts'
import { addInteractionTo, createProspect, endProspect, type Refusal, walk } from '../../../test/prospects.ts'
import { actorIn } from '../../../test/temporary-store.ts'
import { change } from '../../store/change/change.ts'
import type { AuditEvent } from '../audit/audit.schema.ts'
import type { Business } from '../businesses/businesses.ts'
import type { Interaction } from './interactions.schema.ts'
import { refreshLastContact } from './last-contact.ts'

type PutOptions = { by?: TestClient; more?: object }
type Row = { id: string; followUpOn: string | null; lastInteractionAt: string | null }

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  const path = `/businesses/${id}`
  const put = (followUpOn: string | null, version: number, { by = operator, more = {} }: PutOptions = {}) =>
    by.put<Business & Refusal>(`${path}/follow-up`, { followUpOn, ...more }, { 'if-match': `"${version}"` })
  const set = async (followUpOn: string | null, options: PutOptions = {}) =>
    put(followUpOn, (await operator.get<Business>(path)).body.version, options)
  const standing = async () => {
    const { followUpOn, lastInteractionAt, version } = (await operator.get<Business>(path)).body
    return [followUpOn, lastInteractionAt?.slice(0, 10) ?? null, version]
  }
  return { t, operator, id, path, put, set, standing }
}

const due = (id: string, day: string | null, on = '2026-11-20') =>
  ({ businessId: id, body: { occurredAt: `${on}T09:00:00Z`, followUpOn: day } }) as const

test('the follow-up date of the latest interaction stands on the record, which keeps its version', async ({
  expect,
}) => {
  const { operator, id, standing } = await setUp()
  expect(await standing()).toEqual([null, null, 1])
  await addInteractionTo(operator, id, due(id, '2026-12-01').body)
  expect(await standing()).toEqual(['2026-12-01', '2026-11-20', 1])
  // An interaction that is recorded later but occurred before the latest one closes nothing.
  await addInteractionTo(operator, id, due(id, null, '2026-11-10').body)
  expect(await standing()).toEqual(['2026-12-01', '2026-11-20', 1])
})

test('the next interaction closes the follow-up, and a correction replaces it', async ({ expect }) => {
  const { operator, id, standing } = await setUp()
  const first = await addInteractionTo(operator, id, due(id, '2026-12-01', '2026-11-18').body)
  const corrected = { ...due(id, '2026-12-02', '2026-11-18').body, correctsId: first.id }
  await addInteractionTo(operator, id, corrected)
  expect(await standing()).toEqual(['2026-12-02', '2026-11-18', 1])
  await addInteractionTo(operator, id, due(id, null, '2026-11-19').body)
  expect(await standing()).toEqual([null, '2026-11-19', 1])
})

test('a follow-up is set, moved and cleared by hand, each with its event and a new version', async ({ expect }) => {
  const { t, operator, path, set, standing } = await setUp()
  for (const [before, after, version] of [
    [null, '2026-12-01', 2],
    ['2026-12-01', '2026-12-05', 3],
    ['2026-12-05', null, 4],
  ] as const) {
    const changes = await t.changes(async () => {
      const { status, body } = await set(after)
      expect([status, body.followUpOn, body.version]).toEqual([200, after, version])
    })
    expect(changes).toEqual({ follow_up_changes: 1, businesses: 0, audit_events: 1 })
    expect(await standing()).toEqual([after, null, version])
    expect((await walk<AuditEvent>(operator, `${path}/activity`))[0]).toMatchObject({
      action: 'interaction.set_follow_up',
      before: { followUpOn: before },
      after: { followUpOn: after },
    })
    expect(await t.changes(() => set(after))).toEqual({})
  }
})

test('a follow-up is set against the version that the person read, and not before today', async ({ expect }) => {
  const { put, set, standing } = await setUp()
  await set('2026-12-01')
  const stale = await put('2026-12-02', 1)
  expect([stale.status, stale.body.code]).toEqual([412, 'version_conflict'])
  const past = await set('2026-11-16')
  expect([past.status, past.body.errors?.[0]]).toMatchObject([400, { path: 'followUpOn', code: 'in_past' }])
  expect(await standing()).toEqual(['2026-12-01', null, 2])
  expect((await set('2026-11-16', { more: { acceptPastFollowUp: true } })).body.followUpOn).toBe('2026-11-16')
})

test('a date by hand counts until the next interaction; an earlier one and a correction that keeps its date do not replace it', async ({
  expect,
}) => {
  const { t, operator, id, set, standing } = await setUp()
  const { id: first } = await addInteractionTo(operator, id, due(id, '2026-12-01').body)
  await set('2026-12-05')
  await addInteractionTo(operator, id, due(id, '2026-12-09', '2026-11-10').body)
  expect((await standing())[0]).toBe('2026-12-05')
  const { id: again } = await addInteractionTo(operator, id, { ...due(id, '2026-12-01').body, correctsId: first })
  expect((await standing())[0]).toBe('2026-12-05')
  await addInteractionTo(operator, id, { ...due(id, '2026-12-03').body, correctsId: again })
  expect((await standing())[0]).toBe('2026-12-03')
  await set(null)
  expect((await standing())[0]).toBe(null)
  t.clock.advance(60_000)
  await addInteractionTo(operator, id, { occurredAt: t.clock().toISOString(), followUpOn: null })
  await set('2026-12-06')
  t.clock.advance(60_000)
  await addInteractionTo(operator, id, { occurredAt: t.clock().toISOString(), followUpOn: '2026-12-07' })
  expect((await standing())[0]).toBe('2026-12-07')
})

test('a call of an hour ago that is recorded with a date after a change by hand replaces it; one without a date does not', async ({
  expect,
}) => {
  const { t, operator, id, set, standing } = await setUp()
  await set('2026-12-05')
  const anHourAgo = (minutes: number) => new Date(t.clock().getTime() - minutes * 60_000).toISOString()
  await addInteractionTo(operator, id, { occurredAt: anHourAgo(90), followUpOn: null })
  expect((await standing())[0]).toBe('2026-12-05')
  await addInteractionTo(operator, id, { occurredAt: anHourAgo(60), followUpOn: '2026-12-02' })
  expect((await standing())[0]).toBe('2026-12-02')
})

test('a date is cleared after an interaction that a fast clock placed in the future', async ({ expect }) => {
  const { t, operator, id, set, standing } = await setUp()
  const ahead = new Date(t.clock().getTime() + 180_000).toISOString()
  await addInteractionTo(operator, id, { occurredAt: ahead, followUpOn: '2026-12-07' })
  t.clock.advance(1_000)
  expect((await set(null)).body.followUpOn).toBeNull()
  expect((await standing())[0]).toBeNull()
})

test('a viewer sets none, and an ended record takes none', async ({ expect }) => {
  const { t, id, set } = await setUp()
  expect((await set('2026-12-01', { by: await t.as('viewer') })).status).toBe(403)
  await endProspect(t, id, { status: 'inactive' })
  const { status, body } = await set('2026-12-01')
  expect([status, body.code]).toEqual([422, 'business_not_active'])
})

test('a survivor stands for the interactions of the records that were merged into it', async ({ expect }) => {
  const { t, operator, id, set, standing } = await setUp()
  const other = await createProspect(operator)
  await addInteractionTo(operator, id, due(id, '2026-12-01', '2026-11-18').body)
  await addInteractionTo(operator, other.id, due(other.id, '2026-12-05', '2026-11-19').body)
  await endProspect(t, other.id, { status: 'merged', into: id })
  const refresh = () =>
    change(t.store, actorIn(t.tenants.home.id), { permission: null, action: 'test.end' }, async (tx) => {
      await refreshLastContact(tx, other.id)
      return tx.record({ subject: { type: 'business', id } })
    })
  await refresh()
  expect(await standing()).toEqual(['2026-12-05', '2026-11-19', 1])
  await set('2026-12-08')
  await refresh()
  expect(await standing()).toEqual(['2026-12-08', '2026-11-19', 2])
})

test('lists filter and sort by the follow-up date', async ({ expect }) => {
  const { operator, id } = await setUp()
  const [later, none] = [await createProspect(operator), await createProspect(operator)]
  await addInteractionTo(operator, id, { ...due(id, '2026-11-20').body, acceptPastFollowUp: true })
  await addInteractionTo(operator, later.id, due(later.id, '2026-11-22').body)
  const found = async (op: string, values: unknown[], sort = 'followUpOn') => {
    const conditions = encodeURIComponent(JSON.stringify([{ field: 'followUp', op, values }]))
    return (await walk<Row>(operator, `/businesses?sort=${sort}&conditions=${conditions}`)).map((row) => row.id)
  }
  expect(await found('any_of', ['overdue'])).toEqual([id])
  expect(await found('any_of', ['today'])).toEqual([])
  expect(await found('any_of', ['this_week'], '-followUpOn')).toEqual([later.id, id])
  await addInteractionTo(operator, none.id, due(none.id, '2026-11-23').body)
  expect(await found('any_of', ['next_week'])).toEqual([none.id])
  expect(await found('any_of', ['this_week', 'next_week'])).toEqual([id, later.id, none.id])
  const gap = encodeURIComponent(JSON.stringify([{ field: 'followUp', op: 'any_of', values: ['today', 'next_week'] }]))
  expect((await operator.get(`/businesses?conditions=${gap}`)).status).toBe(400)
  await addInteractionTo(operator, none.id, { occurredAt: '2026-11-21T07:00:00Z', followUpOn: null })
  expect(await found('between', ['2026-11-21', null])).toEqual([later.id])
  expect(await found('is_empty', [])).toEqual([none.id])
  expect((await walk<Row>(operator, '/businesses?sort=followUpOn')).map((row) => row.followUpOn)).toEqual([
    '2026-11-20',
    '2026-11-22',
    null,
  ])
})

test('a follow-up before today in the zone of the workspace is refused, unless the request accepts it', async ({
  expect,
}) => {
  const { t, operator, path } = await setUp()
  const administrator = await t.as('administrator')
  const record = (followUpOn: string, more: object = {}) =>
    operator.post<Interaction & Refusal>(`${path}/interactions`, {
      occurredAt: '2026-11-20T09:00:00Z',
      channel: 'phone',
      outcome: 'no_answer',
      followUpOn,
      ...more,
    })
  // 21 November, 08:00 UTC, is 20 November in Pago Pago.
  const isAccepted: Record<string, boolean[]> = {}
  for (const timeZone of ['Africa/Johannesburg', 'Pacific/Pago_Pago']) {
    const { version } = (await administrator.get<{ version: number }>('/tenant')).body
    await administrator.patch('/tenant', { timeZone }, { 'if-match': `"${version}"` })
    const days = ['2026-11-19', '2026-11-20', '2026-11-21']
    isAccepted[timeZone] = []
    for (const day of days) isAccepted[timeZone].push((await record(day)).status === 201)
  }
  expect(isAccepted).toEqual({
    'Africa/Johannesburg': [false, false, true],
    'Pacific/Pago_Pago': [false, true, true],
  })
  const refused = await record('2026-11-16')
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { errors: [{ path: 'followUpOn', code: 'in_past', message: 'This date is in the past. Choose today or later.' }] },
  ])
  const accepted = await record('2026-11-16', { acceptPastFollowUp: true })
  expect([accepted.status, accepted.body.followUpOn]).toEqual([201, '2026-11-16'])
})
