import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { failedApprovals } from '../../../../test/failed-approvals.ts'
import { createProspect, type Refusal } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import { policyBounds } from '../bounds.ts'
import type { ScanPolicy } from '../policies/policies.schema.ts'
import type { Scan } from '../scans/scans.schema.ts'
import { formWith } from './page-forms.ts'

type Answered = ScanPolicy & Refusal

async function setUp() {
  const t = await buildTestApp()
  const [manager, administrator] = [await t.as('manager'), await t.as('administrator')]
  const write = (body: object, client = manager) =>
    client.post<Answered>('/scan-policies', { bounds: {}, retentionDays: 180, ...body })
  const approve = ({ id }: { id: string }, client = administrator) =>
    client.post<Answered>(`/scan-policies/${id}/approval`, { reason: 'Agreed.' })
  return { t, manager, administrator, write, approve }
}

test('a version counts once another person has approved it, and the built-in bounds apply before', async () => {
  const { t, manager, write, approve } = await setUp()
  const { id } = await createProspect(manager)
  const supply = async () => {
    const form = formWith(`<p>Fences</p><!-- ${'x'.repeat(2_000)} -->`)
    const headers = { 'content-type': form.contentType, 'idempotency-key': newId() }
    return (await manager.post<Scan>(`/businesses/${id}/supplied-pages`, form.body, headers)).body
  }
  const { body: version } = await write({ bounds: { decodedBytesPerPage: 1_000 }, retentionDays: 30 })
  expect(version).toMatchObject({
    version: 1,
    state: 'pending',
    basedOn: 0,
    bounds: { decodedBytesPerPage: 1_000, pages: 5 },
  })
  expect(await supply()).toMatchObject({ policyVersion: 0, state: 'complete' })
  expect((await approve(version)).body.state).toBe('current')
  const scan = await supply()
  expect(scan).toMatchObject({
    policyVersion: 1,
    state: 'incomplete',
    reasons: expect.arrayContaining(['decoded_limit']),
  })
  expect(Date.parse(scan.deleteAfter ?? '') - t.clock().getTime()).toBe(30 * 86_400_000)
})

test('nobody approves their own version, and only a newer version than the current one is approved', async () => {
  const { t, administrator, write, approve } = await setUp()
  const { body: first } = await write({})
  const { body: own } = await write({ basedOn: 1 }, administrator)
  expect((await approve(own)).body.code).toBe('own_approval')
  expect(await failedApprovals(t)).toEqual([['approveScanPolicy', 'own_approval']])
  const { body: third } = await write({})
  expect((await approve(third)).status).toBe(200)
  for (const version of [first, third]) expect((await approve(version)).body.code).toBe('policy_not_pending')
  expect((await approve({ id: newId() })).status).toBe(404)
  const { body } = await administrator.get<{ items: ScanPolicy[] }>('/scan-policies')
  expect(body.items.map(({ state }) => state)).toEqual(['current', 'superseded', 'superseded'])
})

test('no version passes a ceiling, and no field is unknown', async () => {
  const { t, write } = await setUp()
  const wrong = [
    ...Object.entries(policyBounds).map(([name, [, ceiling]]) => ({ bounds: { [name]: ceiling + 1 } })),
    { bounds: { pages: 0 } },
    { bounds: { nodes: 10 } },
    { retentionDays: 29 },
    { retentionDays: 731 },
  ]
  const statuses: number[] = []
  const changes = await t.changes(async () => {
    for (const body of wrong) statuses.push((await write(body)).status)
    statuses.push((await write({ basedOn: 7 })).status)
  })
  expect([statuses, changes]).toEqual([[...wrong.map(() => 400), 404], {}])
})
