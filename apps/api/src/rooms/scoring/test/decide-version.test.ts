import { expect, test } from 'vitest'
import type { TestApp, TestClient } from '../../../../test/build-app.ts'
import { failedApprovals } from '../../../../test/failed-approvals.ts'
import { beforeTheNextWrite, lastEvent } from '../../../../test/person.ts'
import type { Problem } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { Role } from '../../identity/permissions.ts'
import type { RuleSet, Version } from '../rule-sets/rule-sets.schema.ts'
import { ok, scoringWorld, simpleContent } from './scoring-world.ts'

type Answer = { status: number; body: unknown }
const refusal = ({ status, body }: Answer) => [status, (body as Problem).code]

test('nobody approves a version that they edited or submitted', async () => {
  const world = await scoringWorld()
  const version = await world.submitted()
  const { contentHash, previewId } = version
  const body = { contentHash, previewId, reason: 'Mine' }
  expect(refusal(await (await world.t.as('manager')).post(`${world.pathOf(version)}/approval`, body))).toEqual([
    422,
    'own_approval',
  ])
  expect(await failedApprovals(world.t)).toEqual([['approveRuleSetVersion', 'own_approval']])
  expect(version.editors).toHaveLength(1)
  expect(version.approvers.map(({ id }) => id)).toEqual([world.t.tenants.home.users.administrator.id])
})

test('an approval of another content, or of an expired preview, is rejected', async () => {
  const world = await scoringWorld()
  const version = await world.submitted()
  const { contentHash, previewId } = version
  const administrator = await world.t.as('administrator')
  const approve = (body: Record<string, unknown>) =>
    administrator.post(`${world.pathOf(version)}/approval`, { contentHash, previewId, reason: 'Seen', ...body })
  expect(refusal(await approve({ contentHash: '0'.repeat(64) }))).toEqual([422, 'content_changed'])
  expect(refusal(await approve({ previewId: newId() }))).toEqual([422, 'preview_required'])
  world.t.clock.advance(8 * 86_400_000)
  const later = await freshly(world.t, 'administrator')
  expect(
    refusal(await later.post(`${world.pathOf(version)}/approval`, { contentHash, previewId, reason: 'Late' })),
  ).toEqual([422, 'preview_required'])
})

/** Returns a client whose user has just signed in. */
async function freshly(t: TestApp, role: Role): Promise<TestClient> {
  const { id: tenantId, users } = t.tenants.home
  return t.withSession(await t.startSession({ tenantId, userId: users[role].id, role }))
}

test('an approver whose role is revoked before the approval is written is refused', async () => {
  const world = await scoringWorld()
  const { t } = world
  const { contentHash, previewId, ...version } = await world.submitted()
  const { id } = t.tenants.home.users.administrator
  const administrator = await t.as('administrator')
  beforeTheNextWrite(t, async () => {
    await t.store.write('upkeep', async (db) => {
      await db.updateTable('memberships').set({ role: 'viewer' }).where('user_id', '=', id).execute()
      return { keep: true, value: undefined }
    })
    return { status: 200 }
  })
  const answer = await administrator.post(`${world.pathOf(version)}/approval`, {
    contentHash,
    previewId,
    reason: 'Agreed',
  })
  expect(refusal(answer)).toEqual([403, 'permission_denied'])
})

test('a submission needs valid content, a rollback plan and a full preview of exactly this content', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const { id } = ok<RuleSet>(await manager.post('/scoring/rule-sets', { name: 'Fit', template: 'reachable' }))
  const path = `/scoring/rule-sets/${id}/versions/1`
  const submit = () => manager.post(`${path}/submission`)
  expect(refusal(await submit())).toEqual([400, 'invalid_request'])
  const patched = async (body: Record<string, unknown>) => {
    const { edit } = ok<Version>(await manager.get(path))
    return ok<Version>(await manager.patch(path, body, { 'if-match': `"${edit}"` }))
  }
  await patched({ rollbackPlan: 'Activate the run before.' })
  expect(refusal(await submit())).toEqual([422, 'preview_required'])
  await world.previewed(ok<Version>(await manager.get(path)))
  const reversed = { ...simpleContent, bands: simpleContent.bands.toReversed() }
  const broken = await patched({ content: reversed })
  expect(broken.problems.map(({ code }) => code)).toContain('bands_out_of_order')
  expect(refusal(await submit())).toEqual([400, 'invalid_request'])
  await patched({ content: simpleContent })
  expect(refusal(await submit())).toEqual([422, 'preview_required'])
})

test('a version is withdrawn by the person who submitted it, edited as a draft, and frozen once approved', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const administrator = await world.t.as('administrator')
  const version = await world.submitted()
  const path = world.pathOf(version)
  const edit = (etag: number) => manager.patch(path, { rollbackPlan: 'Other' }, { 'if-match': `"${etag}"` })
  expect(refusal(await edit(version.edit))).toEqual([409, 'conflict'])
  expect(refusal(await administrator.post(`${path}/withdrawal`))).toEqual([403, 'permission_denied'])
  const draft = ok<Version>(await manager.post(`${path}/withdrawal`))
  expect(draft.state).toBe('draft')
  expect(refusal(await edit(1))).toEqual([412, 'version_conflict'])
  ok(await edit(draft.edit))
  ok(await manager.post(`${path}/submission`))
  const rejected = ok<Version>(await administrator.post(`${path}/rejection`, { reason: 'Too strict' }))
  expect(rejected).toMatchObject({ state: 'rejected', rejectionReason: 'Too strict', approvedBy: null })
  expect(await lastEvent(world.t, 'scoring_version.reject')).toMatchObject({ reason: 'Too strict' })
  expect(refusal(await administrator.post(`${path}/rejection`, { reason: 'Again' }))).toEqual([409, 'conflict'])
})

test('the store refuses to change the content of a submitted version, and altered content is not used', async () => {
  const world = await scoringWorld()
  const version = await world.approved()
  const { store } = world.t
  const alter = () =>
    store.write('upkeep', async (db) => {
      await db
        .updateTable('scoring_versions')
        .set({ content: JSON.stringify({ ...simpleContent, rounding: 'down' }) })
        .execute()
      return { keep: true, value: undefined }
    })
  await expect(alter()).rejects.toThrow('frozen')
  await store.write('upkeep', async (db) => {
    const { sql } = await import('kysely')
    await sql`DROP TRIGGER scoring_versions_are_frozen`.execute(db)
    return { keep: true, value: undefined }
  })
  await alter()
  const manager = await world.t.as('manager')
  const body = { ruleSetId: version.ruleSetId, version: 1, reason: 'Monthly' }
  expect(refusal(await manager.post('/scoring/runs', body, { 'idempotency-key': newId() }))).toEqual([
    422,
    'content_changed',
  ])
  expect(refusal(await manager.get(world.pathOf(version)))).toEqual([422, 'content_changed'])
})

test('an approved version is retired unless its scores are active', async () => {
  const world = await scoringWorld()
  const administrator = await world.t.as('administrator')
  const version = await world.approved()
  const run = await world.ran(version)
  await world.activated(run)
  const retire = () => administrator.post(`${world.pathOf(version)}/retirement`, { reason: 'Replaced' })
  expect(refusal(await retire())).toEqual([409, 'conflict'])
  const next = await world.approved(simpleContent, version.ruleSetId)
  await world.activated(await world.ran(next))
  expect(ok<Version>(await retire())).toMatchObject({ state: 'retired', approvalReason: 'Agreed.' })
  const manager = await world.t.as('manager')
  const body = { expectedActiveRunId: (await world.active())?.runId, reason: 'Back' }
  expect(refusal(await manager.post(`/scoring/runs/${run.id}/activation`, body))).toEqual([422, 'not_approved'])
})

test('a workspace has at most 20 rule sets, and an owner is a member', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  expect(refusal(await manager.post('/scoring/rule-sets', { name: 'Fit', ownerId: newId() }))).toEqual([
    404,
    'not_found',
  ])
  for (let at = 0; at < 20; at++) ok(await manager.post('/scoring/rule-sets', { name: `Fit ${at}` }))
  expect(refusal(await manager.post('/scoring/rule-sets', { name: 'One more' }))).toEqual([422, 'limit_reached'])
})
