import { test, vi } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type ListPage, type Refusal, walk } from '../../../../test/prospects.ts'
import { askedOf, findPlans, planOf, watchStatements } from '../../../../test/statement-plans.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Tenant } from '../../identity/identity.schema.ts'
import { termAt, termStatus } from '../entries/review-term.rules.ts'
import type { AddedSuppression, Suppression } from '../suppression.schema.ts'

const DAY = 24 * 60 * 60_000

async function world() {
  const t = await buildTestApp()
  // Signs in for each request. This test covers months, and no session lasts that long.
  const as = async (role: 'operator' | 'administrator') => {
    const { id: tenantId, users } = t.tenants.home
    return t.withSession(await t.startSession({ tenantId, userId: users[role].id, role }))
  }
  const tables = [
    'suppressions',
    'suppression_keys',
    'suppression_matches',
    'suppression_history',
    'businesses',
  ] as const
  return {
    t,
    as,
    suppress: async (value: string, kind = 'email') => {
      const body = { kind, value, reason: 'They asked in writing.', channel: 'letter' }
      return (await (await as('operator')).post<AddedSuppression>('/suppressions', body)).body
    },
    /** Sets the review term as a person who has just signed in. */
    setTerm: async (suppressionReviewMonths: unknown) => {
      const administrator = await as('administrator')
      const { version } = (await administrator.get<Tenant>('/tenant')).body
      return administrator.patch<Tenant & Refusal>(
        '/tenant',
        { suppressionReviewMonths },
        { 'if-match': `"${version}"` },
      )
    },
    read: async (id: string) => (await (await as('operator')).get<Suppression>(`/suppressions/${id}`)).body,
    pastTerm: async (more = '') =>
      (await walk<Suppression>(await as('operator'), `/suppressions?status=past_term${more}`, 1)).map(({ id }) => id),
    rows: () => Promise.all(tables.map((table) => t.store.reader.selectFrom(table).selectAll().execute())),
  }
}

test('a term is counted in calendar months of UTC, and the bound of the list agrees for every day', ({ expect }) => {
  const on = (began: string, months: number, at: string) => termStatus(began, termAt(months, at))
  const late = '2026-01-31T23:59:59.999Z'
  expect(on(late, 1, '2026-02-28T23:59:59.999Z')).toEqual({ termEndsOn: '2026-02-28', isPastTerm: false })
  expect(on(late, 1, '2026-03-01T00:00:00.000Z')).toEqual({ termEndsOn: '2026-02-28', isPastTerm: true })
  expect(on('2028-02-29T08:00:00.000Z', 12, '2029-03-01T00:00:00.000Z')).toEqual({
    termEndsOn: '2029-02-28',
    isPastTerm: true,
  })
  expect(termStatus(null, termAt(1, late))).toEqual({ termEndsOn: null, isPastTerm: false })
  for (const months of [1, 2, 12]) {
    for (let day = 0; day < 200; day++) {
      const today = new Date(Date.UTC(2028, 0, 1) + day * DAY).toISOString()
      const term = termAt(months, today)
      for (let back = -4; back < 5; back++) {
        const began = new Date(Date.parse(today) - (months * 30 + back) * DAY).toISOString()
        const { termEndsOn, isPastTerm } = termStatus(began, term)
        expect([today, began, isPastTerm]).toEqual([today, began, (termEndsOn ?? '') < today.slice(0, 10)])
      }
    }
  }
})

test('an entry past its term is shown as such and continues to block; neither the policy nor time writes or lifts anything', async ({
  expect,
}) => {
  const { t, as, suppress, setTerm, read, pastTerm, rows } = await world()
  await createProspect(await as('operator'), { emails: [{ value: 'jan@karoo.co.za' }] })
  const { suppression } = await suppress('jan@karoo.co.za')
  expect(suppression).toMatchObject({ termEndsOn: null, isPastTerm: false })
  const before = await rows()
  t.clock.advance(366 * DAY)
  expect(await read(suppression.id)).toEqual(suppression)
  expect(await pastTerm()).toEqual([])
  const changes = await t.changes(async () => {
    expect(await setTerm(12)).toMatchObject({ status: 200, body: { suppressionReviewMonths: 12 } })
  })
  expect(changes).toMatchObject({ tenants: 0 })
  expect(Object.keys(changes).filter((table) => table.startsWith('suppression') || table === 'businesses')).toEqual([])
  expect(await read(suppression.id)).toEqual({ ...suppression, termEndsOn: '2027-11-21', isPastTerm: true })
  expect(await pastTerm()).toEqual([suppression.id])
  expect(await rows()).toEqual(before)

  const operator = await as('operator')
  const values = [{ kind: 'email', value: 'Jan+x@karoo.co.za' }]
  expect((await operator.post('/suppressions/checks', { values })).body).toMatchObject({
    items: [{ suppressed: true, suppressions: [{ id: suppression.id, isPastTerm: true }] }],
  })
  const marked = await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  expect(marked.doNotContact).toMatchObject({ through: 'suppression' })
  const held = await operator.get(`/businesses/${marked.id}/suppressions`)
  expect(held.body).toMatchObject({ items: [{ live: true, suppression: { isPastTerm: true } }] })

  const after = await rows()
  expect((await setTerm(null)).body.suppressionReviewMonths).toBeNull()
  expect(await read(suppression.id)).toEqual(suppression)
  expect(await pastTerm()).toEqual([])
  expect(await rows()).toEqual(after)
  const { body } = await (await as('administrator')).get<ListPage<AuditEvent>>('/audit-events?action=tenant.configure')
  expect(body.items.map(({ before, after }) => [before, after])).toMatchObject([
    [{ suppressionReviewMonths: 12 }, { suppressionReviewMonths: null }],
    [{ suppressionReviewMonths: null }, { suppressionReviewMonths: 12 }],
  ])
})

test('a term restarts when an entry is requested again, and ends with the entry', async ({ expect }) => {
  const { t, as, suppress, setTerm, read, pastTerm } = await world()
  const ids: string[] = []
  for (const value of ['+27821234567', '+27821234568']) ids.push((await suppress(value, 'phone')).suppression.id)
  t.clock.advance(DAY)
  for (const value of ['a@karoo.co.za', 'b@karoo.co.za']) ids.push((await suppress(value)).suppression.id)
  const [first = '', second = '', third = '', fourth = ''] = ids
  t.clock.advance(40 * DAY)
  await setTerm(1)
  expect(await pastTerm()).toEqual([fourth, third, second, first])
  expect(await pastTerm('&kind=phone')).toEqual([second, first])
  expect(await pastTerm('&q=B%40karoo.co.za')).toEqual([fourth])
  expect(await suppress('b@karoo.co.za')).toMatchObject({
    created: false,
    suppression: { id: fourth, termEndsOn: '2027-02-01', isPastTerm: false },
  })
  const ended = await (await as('administrator')).post(`/suppressions/${first}/removal`, {
    reason: 'They came back.',
  })
  expect(ended.body).toMatchObject({ suppression: { status: 'removed', termEndsOn: null, isPastTerm: false } })
  expect(await pastTerm()).toEqual([third, second])
  expect(await read(third)).toMatchObject({ status: 'active', termEndsOn: '2026-12-22' })
})

test.for([0, 121, 1.5, '12'])('a term of %j months is refused, and nothing changes', async (months, { expect }) => {
  const { t, setTerm } = await world()
  const changes = await t.changes(async () => {
    expect(await setTerm(months)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'suppressionReviewMonths' }] },
    })
  })
  expect(changes).not.toHaveProperty('tenants')
})

test('entries past their term are found by an index, in its order', async ({ expect }) => {
  const { t, suppress, setTerm, pastTerm } = await world()
  for (const value of ['a@karoo.co.za', 'b@karoo.co.za']) await suppress(value)
  t.clock.advance(40 * DAY)
  await setTerm(1)
  const statements = watchStatements()
  await pastTerm()
  await pastTerm('&kind=email')
  vi.restoreAllMocks()
  const asked = askedOf(statements).filter(({ sql }) => sql.includes('coalesce(s.confirmed_at'))
  // For each filter: two pages, and one count.
  expect(asked).toHaveLength(6)
  expect(findPlans(t.store, asked)).toEqual({ walking: [], sorting: [] })
  const connection = openConnection(`${t.store.dataDir}/${STORE_FILE}`, { readonly: true })
  const steps = asked.map(({ sql }) => planOf(connection, sql).filter((step) => /^(SEARCH|SCAN) s\b/.test(step)))
  connection.close()
  expect(steps.flat().sort()).toEqual([
    'SEARCH s USING INDEX suppressions_by_kind_and_term (tenant_id=? AND kind=? AND <expr><?)',
    'SEARCH s USING INDEX suppressions_by_kind_and_term (tenant_id=? AND kind=? AND <expr><?)',
    'SEARCH s USING INDEX suppressions_by_kind_and_term (tenant_id=? AND kind=? AND <expr><?)',
    'SEARCH s USING INDEX suppressions_by_term (tenant_id=? AND <expr><?)',
    'SEARCH s USING INDEX suppressions_by_term (tenant_id=? AND <expr><?)',
    'SEARCH s USING INDEX suppressions_by_term (tenant_id=? AND <expr><?)',
  ])
})
