import { expect, test } from 'vitest'
import { assistWorld, policyOf } from '../../../../test/assist-world.ts'
import { failedApprovals } from '../../../../test/failed-approvals.ts'
import type { Problem } from '../../../../test/prospects.ts'
import type { AssistPolicy } from '../policies/policies.schema.ts'
import { policyItems } from '../policies/policies.schema.ts'

const path = '/assist/policies'

test('a policy is written by an administrator, submitted complete, and approved by somebody else until an end', async () => {
  const { administrator, manager, t, content, inDays } = await assistWorld()
  const { status, body: draft } = await administrator.post<AssistPolicy>(path, content())
  expect([status, draft.state, draft.missing]).toEqual([201, 'draft', []])
  const submitted = await administrator.post<AssistPolicy>(`${path}/${draft.id}/submission`, undefined)
  expect(submitted.body.state).toBe('in_review')
  const approval = { fingerprint: draft.fingerprint, reason: 'Reviewed.', endsAt: inDays(100) }
  const own = await administrator.post<Problem>(`${path}/${draft.id}/approvals`, approval)
  expect([own.status, own.body.code]).toEqual([422, 'own_approval'])
  const other = { ...approval, fingerprint: 'a'.repeat(64) }
  expect((await manager.post<Problem>(`${path}/${draft.id}/approvals`, other)).body.code).toBe('assist_policy_changed')
  expect(await failedApprovals(t)).toEqual([
    ['approveAssistPolicy', 'own_approval'],
    ['approveAssistPolicy', 'assist_policy_changed'],
  ])
  const late = { ...approval, endsAt: inDays(366) }
  expect((await manager.post<Problem>(`${path}/${draft.id}/approvals`, late)).status).toBe(400)
  const approved = await manager.post<AssistPolicy>(`${path}/${draft.id}/approvals`, approval)
  expect([approved.status, approved.body.state, approved.body.decision?.reason]).toEqual([200, 'approved', 'Reviewed.'])
  t.clock.advance(101 * 86_400_000)
  const later = await t.as('viewer')
  expect((await later.get<AssistPolicy>(`${path}/${draft.id}`)).body.state).toBe('expired')
})

test.each(policyItems)('a version without %s can be written, and is not accepted for review', async (item) => {
  const { administrator, content } = await assistWorld()
  const { [item]: _left, ...rest } = content()
  const { body: draft } = await administrator.post<AssistPolicy>(path, rest)
  expect(draft.missing).toEqual([item])
  const { status, body } = await administrator.post<Problem>(`${path}/${draft.id}/submission`, undefined)
  expect([status, body.code, body.errors?.map((one) => one.path)]).toEqual([422, 'assist_policy_incomplete', [item]])
})

test('one version at most is approved: a newer approval supersedes, a withdrawal leaves none', async () => {
  const { administrator, approvedPolicy } = await assistWorld()
  const first = await approvedPolicy()
  const second = await approvedPolicy()
  const stateOf = async (id: string) => (await policyOf(administrator, id)).state
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['superseded', 'approved'])
  const reason = { reason: 'The provider changed its terms.' }
  const again = await administrator.post<Problem>(`${path}/${first.id}/withdrawal`, reason)
  expect([again.status, again.body.code]).toEqual([409, 'assist_policy_not_open'])
  expect((await administrator.post(`${path}/${second.id}/withdrawal`, reason)).status).toBe(200)
  expect(await stateOf(second.id)).toBe('withdrawn')
})

test('a policy names only sources and owners of its own workspace', async () => {
  const { administrator, content, t } = await assistWorld()
  const foreign = t.tenants.other.users.administrator.id
  for (const part of [{ ownerId: foreign }, { sourceId: foreign }, { fallbackSourceId: foreign }]) {
    const { status } = await administrator.post<Problem>(path, content(part))
    expect(status).toBe(404)
  }
})
