import { expect, test } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import { failedApprovals } from '../../../../test/failed-approvals.ts'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import { DAY_MS, daysAfter } from '../../../lib/clock.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { watchPolicyReviews } from '../drafts.ts'
import { type Policy, policyContentSchema } from '../policies/policies.schema.ts'
import { approvedPolicy, draftsWorld, follow, policyBody, resultOf, sent, writeDraft } from './drafts-world.ts'

/* Draft policies (specification, Phase 14 §2): versions, the approval of another person, and the end of a version. */

const stateOf = async (world: Awaited<ReturnType<typeof draftsWorld>>) =>
  (await sent(world.viewer.get<ListPage<Policy>>('/draft-policies'))).items.map(({ name, state }) => [name, state])

test('another person approves a version, which supersedes the one in force; each state is audited', async () => {
  const world = await draftsWorld()
  const { t, administrator, manager, operator } = world
  const body = policyBody(t.tenants.home.users.administrator.id)
  expect((await operator.post('/draft-policies', body)).status).toBe(403)
  const second = await sent(administrator.post<Policy>('/draft-policies', body))
  expect([second.name, second.state, second.mayDecide]).toEqual(['za/email/2', 'proposed', false])
  const path = `/draft-policies/${second.id}`
  const own = await administrator.post<Problem>(`${path}/approvals`, { reason: 'Mine.' })
  expect(own).toMatchObject({ status: 422, body: { code: 'own_approval' } })
  expect(await failedApprovals(t)).toEqual([['approveDraftPolicy', 'own_approval']])
  await sent(manager.post(`${path}/approvals`, { reason: 'Read it.' }))
  const third = await sent(administrator.post<Policy>('/draft-policies', body))
  await sent(manager.post(`/draft-policies/${third.id}/rejections`, { reason: 'Too wide.' }))
  await sent(manager.post(`${path}/withdrawal`, { reason: 'The law changed.' }))
  expect(await stateOf(world)).toEqual([
    ['za/email/3', 'rejected'],
    ['za/email/2', 'withdrawn'],
    ['za/email/1', 'superseded'],
  ])
  for (const [id, act] of [
    [second.id, 'approvals'],
    [second.id, 'withdrawal'],
    [third.id, 'rejections'],
  ])
    expect(await manager.post(`/draft-policies/${id}/${act}`, { reason: 'Again.' })).toMatchObject({
      status: 409,
      body: { code: 'policy_not_open' },
    })
  const { items } = await sent(administrator.get<ListPage<AuditEvent>>('/audit-events?limit=200'))
  const told = items.flatMap(({ action }) => (action.startsWith('draft_policy.') ? [action] : []))
  expect(told).toEqual([
    'draft_policy.approval_failed',
    'draft_policy.withdraw',
    'draft_policy.reject',
    'draft_policy.propose',
    'draft_policy.approve',
    'draft_policy.approval_failed',
    'draft_policy.propose',
    'draft_policy.approve',
    'draft_policy.propose',
  ])
})

test('a version expires at its end, and without one in force no draft passes its checks', async () => {
  const world = await draftsWorld()
  const { t, administrator } = world
  await approvedPolicy(world, { endsAt: daysAfter(t.clock(), 1) })
  const waiting = await sent(
    administrator.post<Policy>('/draft-policies', {
      ...policyBody(t.tenants.home.users.administrator.id),
      endsAt: daysAfter(t.clock(), 1),
    }),
  )
  t.clock.advance(DAY_MS)
  expect((await stateOf(world))[1]).toEqual(['za/email/2', 'expired'])
  const draft = await writeDraft(world)
  expect(['policy', 'legal_basis', 'freshness'].map((key) => resultOf(draft, key))).toEqual(['fail', 'pass', 'pass'])
  const later = await freshClient(t, 'manager')
  expect(await later.post(`/draft-policies/${waiting.id}/approvals`, { reason: 'Late.' })).toMatchObject({
    status: 409,
  })
  await follow(t)
  const { items } = await sent(administrator.get<ListPage<AuditEvent>>('/audit-events?action=draft_policy.expire'))
  expect(items).toMatchObject([{ actor: { kind: 'system' }, after: { policy: 'za/email/2' } }])
  const after = await writeDraft(world)
  expect(['policy', 'legal_basis', 'freshness'].map((key) => resultOf(after, key))).toEqual([
    'fail',
    'unknown',
    'unknown',
  ])
})

test('a policy lowers caps and raises none, ends within 732 days, and has a window for all evidence', async () => {
  const { t, administrator } = await draftsWorld()
  const propose = (more: object) =>
    administrator.post<Problem>('/draft-policies', { ...policyBody(t.tenants.home.users.administrator.id), ...more })
  for (const [more, path] of [
    [{ caps: { recipient: 3, person: 50, tenant: 200 } }, 'caps.recipient'],
    [{ caps: { recipient: 2, person: 51, tenant: 200 } }, 'caps.person'],
    [{ caps: { recipient: 2, person: 50, tenant: 201 } }, 'caps.tenant'],
    [{ endsAt: '2026-11-01T00:00:00Z' }, 'endsAt'],
    [{ endsAt: '2029-01-01T00:00:00Z' }, 'endsAt'],
    [{ freshnessDays: { name: 30 } }, 'freshnessDays.other'],
    [{ legalBases: [] }, 'legalBases'],
    [{ legalBases: ['public_address'] }, 'legalBases.0'],
  ] as const) {
    const { status, body } = await propose(more)
    expect([status, body.errors?.[0]?.path]).toEqual([400, path])
  }
})

test('the proposals for South Africa and the European Union are labelled, and are in force nowhere', async () => {
  const world = await draftsWorld()
  const { items } = await sent(
    world.viewer.get<{
      items: ({ label: string } & Pick<Policy, 'jurisdiction' | 'sources' | 'reviewBy' | 'basisForm'>)[]
    }>('/draft-policies/proposals'),
  )
  expect(new Set(items.map(({ jurisdiction }) => jurisdiction))).toEqual(new Set(['za', 'eu']))
  expect(items.every(({ label }) => label === 'Not legal advice')).toBe(true)
  for (const { jurisdiction, sources, reviewBy, basisForm } of items) {
    expect(basisForm).toBe('known')
    if (jurisdiction !== 'za') continue
    expect(reviewBy).toBe('2027-11-30')
    expect(sources).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Form 4.*silence is no consent\. Source: .*as your lawyer advises\.$/),
      ]),
    )
    expect(sources.every((one) => / Source: .+ Entered on 2026-11-30, as your lawyer advises\.$/.test(one))).toBe(true)
  }
  const approved = await sent(world.viewer.get<ListPage<Policy>>('/draft-policies?state=approved&jurisdiction=eu'))
  expect(approved.items).toEqual([])
  const draft = await writeDraft(world, { jurisdiction: 'eu' })
  expect(resultOf(draft, 'policy')).toBe('fail')
})

test('a policy states its sources and the day by which they must be reviewed, and warns from the next day', async () => {
  const world = await draftsWorld()
  const { t, administrator } = world
  const sources = ['Consent before a first email. Source: a summary.']
  const id = await approvedPolicy(world, { sources, reviewBy: '2026-11-21' })
  const { items } = await sent(administrator.get<ListPage<Policy>>('/draft-policies?state=approved'))
  expect(items).toMatchObject([{ id, sources, reviewBy: '2026-11-21', basisForm: 'known' }])
  const policyCheck = async () => (await writeDraft(world)).checks.find(({ key }) => key === 'policy')
  const applies = { result: 'pass', message: 'The policy za/email/2 applies.', action: null }
  expect(await policyCheck()).toMatchObject(applies)
  expect(await watchPolicyReviews(t.store.reader, t.clock().toISOString())).toEqual([])
  t.clock.advance(DAY_MS)
  expect(await policyCheck()).toMatchObject({
    result: 'pass',
    message: 'The policy za/email/2 applies. Its sources were due to be compared with the law by 2026-11-21.',
    action: 'Ask its owner to compare them, and to propose a new version.',
  })
  expect(await watchPolicyReviews(t.store.reader, t.clock().toISOString())).toEqual([
    { tenantId: t.tenants.home.id, policy: 'za/email/2', reviewBy: '2026-11-21' },
  ])
})

test('a policy from before sources and forms existed requires none', async () => {
  const { content } = await draftsWorld().then(({ t }) =>
    t.store.reader.selectFrom('draft_policies').select('content').executeTakeFirstOrThrow(),
  )
  const { basisForm: _form, sources: _sources, reviewBy: _day, ...older } = JSON.parse(content)
  expect(policyContentSchema.parse(older)).toMatchObject({ basisForm: 'any', sources: [], reviewBy: null })
})
