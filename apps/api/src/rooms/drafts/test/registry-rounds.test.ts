import { expect, test } from 'vitest'
import { registryKinds, roundsIn } from '../../../../test/registry-rounds.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { proposePolicySchema } from '../policies/policies.schema.ts'
import {
  approvedDraft,
  approvedPolicy,
  askCopy,
  draftsWorld,
  outcomeOf,
  policyBody,
  readDraft,
  resultOf,
  sent,
  writeDraft,
} from './drafts-world.ts'

test('a policy with days refuses approval and copy without a recent round, and ends no approval', async () => {
  const world = await draftsWorld({ kinds: registryKinds })
  await approvedPolicy(world, { registryDays: 10 })
  const round = roundsIn(world.t)
  const never = await writeDraft(world)
  expect(never.checks.find(({ key }) => key === 'registry')).toMatchObject({
    result: 'fail',
    message: 'No registry round with all email addresses was closed.',
  })
  const seen = { contentHash: never.contentHash, snapshotHash: never.snapshotHash }
  const refused = await world.operator.post<{ code: string }>(`/drafts/${never.id}/approval-requests`, seen)
  expect([refused.status, refused.body.code]).toEqual([422, 'checks_failed'])

  expect((await round([])).state).toBe('closed')
  const draft = await approvedDraft(world)
  expect(resultOf(draft, 'registry')).toBe('pass')
  expect(await outcomeOf(world.operator, draft, 'key')).toBe(201)

  // Approved a day before the round is due, because an approval lasts a week.
  world.t.clock.advance(9 * DAY_MS)
  const later = await approvedDraft(world)
  expect((await askCopy(world.operator, later, 'later')).body).toMatchObject({ text: expect.any(String) })
  world.t.clock.advance(DAY_MS)
  const due = await readDraft(world, later.id)
  expect([due.state, resultOf(due, 'registry')]).toEqual(['approved', 'fail'])
  expect((await askCopy(world.operator, later)).body).toMatchObject({
    code: 'checks_failed',
    detail: expect.stringContaining('The policy requires one in 10 days.'),
  })
  expect((await askCopy(world.operator, later, 'later')).body).toMatchObject({
    text: null,
    textWithheld: 'registry_round_due',
  })
})

test('an address that was added after the round is not yet checked', async () => {
  const world = await draftsWorld({ kinds: registryKinds })
  await approvedPolicy(world, { registryDays: 30 })
  await roundsIn(world.t)([])
  const { version } = await sent(world.operator.get<{ version: number }>(`/businesses/${world.businessId}`))
  const emails = [{ value: 'info@karoo-pumps.co.za' }, { value: 'new@karoo-pumps.co.za' }]
  await sent(world.operator.patch(`/businesses/${world.businessId}`, { emails }, { 'if-match': `"${version}"` }))
  const draft = await writeDraft(world)
  expect(draft.checks.find(({ key }) => key === 'registry')).toMatchObject({
    result: 'fail',
    message: expect.stringContaining('not yet checked'),
  })
})

test('a round of some pipeline states proves nothing about a prospect, because it moves between states', async () => {
  const world = await draftsWorld({ kinds: registryKinds })
  await approvedPolicy(world, { registryDays: 30 })
  await roundsIn(world.t)([], { states: ['new'] })
  expect(resultOf(await writeDraft(world), 'registry')).toBe('fail')
})

test('a proposed policy requires a round in 30 days unless it says otherwise', () => {
  const { registryDays: _, ...body } = policyBody('0191f0a0-0000-7000-8000-000000000000')
  expect(proposePolicySchema.parse(body).registryDays).toBe(30)
  expect(proposePolicySchema.parse({ ...body, registryDays: null }).registryDays).toBeNull()
})
