import { expect, test } from 'vitest'
import type { Copy } from '../copies/copies.schema.ts'
import { proposePolicySchema } from '../policies/policies.schema.ts'
import {
  approvedDraft,
  approvedPolicy,
  askCopy,
  copyBody,
  draftsWorld,
  outcomeOf,
  policyBody,
  readDraft,
} from './drafts-world.ts'

/* The clock of the tests shows Saturday, 10:00 in South Africa; five hours later contact is not allowed. */
const FIVE_HOURS = 5 * 3_600_000

test('a policy that only warns releases the text outside of contact hours, and the draft shows them', async () => {
  const world = await draftsWorld()
  const draft = await approvedDraft(world)
  expect(draft.contactHours).toMatchObject({ status: 'allowed', isRefused: false, calendarVersion: 'za-1' })
  world.t.clock.advance(FIVE_HOURS)
  expect((await readDraft(world, draft.id)).contactHours).toEqual({
    status: 'not_now',
    reason: 'Saturday after 13:00',
    nextAt: '2026-11-23T06:00:00.000Z',
    calendarVersion: 'za-1',
    isRefused: false,
  })
  expect(await outcomeOf(world.operator, draft)).toBe(201)
})

test('a policy that refuses releases no text outside of contact hours, also not for a repeated request', async () => {
  const world = await draftsWorld()
  await approvedPolicy(world, { contactHours: 'refuse' })
  const draft = await approvedDraft(world)
  const first = (await askCopy(world.operator, draft, 'key')).body
  expect(first).toMatchObject({ textWithheld: null, text: expect.any(String) })
  world.t.clock.advance(FIVE_HOURS)
  expect((await readDraft(world, draft.id)).contactHours.isRefused).toBe(true)
  const refused = await askCopy(world.operator, draft)
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({
    code: 'outside_contact_hours',
    detail:
      'Contact is not allowed now: Saturday after 13:00. It is allowed from 2026-11-23 06:00 UTC. The policy refuses copies until then.',
  })
  const headers = { 'idempotency-key': 'key' }
  const again = await world.operator.post<Copy>(`/drafts/${draft.id}/copies`, copyBody(draft), headers)
  expect(again.body).toMatchObject({ id: first.id, textWithheld: 'outside_contact_hours', text: null })
  // The approval stands: on Monday the text is copied.
  world.t.clock.advance(42 * 3_600_000)
  expect(await outcomeOf(world.operator, draft)).toBe(201)
})

test('a policy that refuses also refuses while the hours are unknown', async () => {
  const world = await draftsWorld()
  await approvedPolicy(world, { jurisdiction: 'na', contactHours: 'refuse' })
  const basis = {
    kind: 'consent',
    form: 'written',
    language: 'en',
    agreedTo: 'Letters about windpumps.',
    channels: ['email'],
    purpose: 'introduction',
    jurisdiction: 'na',
    documentReference: 'Folder 8',
    from: '2026-11-01T00:00:00Z',
    until: '2027-11-01T00:00:00Z',
  }
  await world.operator.post(`/businesses/${world.businessId}/legal-bases`, basis)
  const draft = await approvedDraft(world, { jurisdiction: 'na' })
  expect(draft.contactHours).toMatchObject({ status: 'unknown', reason: 'no calendar for NA', isRefused: true })
  expect(await outcomeOf(world.operator, draft)).toBe('outside_contact_hours')
})

test('a policy without the field warns only, as policies from before did', () => {
  const { contactHours } = proposePolicySchema.parse(policyBody('0191f0a0-0000-7000-8000-000000000000'))
  expect(contactHours).toBe('warn')
})
