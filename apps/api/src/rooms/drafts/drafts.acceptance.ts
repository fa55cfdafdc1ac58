import { randomUUID } from 'node:crypto'
import {
  expectRefusal,
  expectStatus,
  expectThat,
  find,
  listAt,
  numberAt,
  textAt,
} from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { daysAfter } from '../../lib/clock.ts'

export const gates: readonly Gate[] = [
  {
    phase: 14,
    checks: [
      {
        name: 'a draft is approved by another person only, and a replayed copy returns the same record',
        run: approveAndCopy,
      },
      { name: 'an approval ends by an edit, by new evidence and by suppression', run: endApprovals },
      { name: 'no route sends', run: findNoSender },
    ],
  },
]

const key = () => ({ 'idempotency-key': randomUUID() })
const days = (n: number) => daysAfter(Date.now(), n)

/** A prospect that may be written to, and a text that cites what was seen there. */
async function prospectToWrite({ operator }: World) {
  const email = `info@${randomUUID().slice(0, 8)}.example`
  const business = await operator.post('/businesses', {
    name: `Acceptance ${randomUUID()}`,
    emails: [{ value: email }],
  })
  const businessId = textAt(expectStatus(business, 201, 'a prospect').body, 'id')
  const seen = {
    field: 'industry',
    value: 'Windpumps',
    observation: 'They repair windpumps.',
    sourceLabel: 'A visit',
    capturedAt: days(-1),
    confidence: 'high',
  }
  const evidence = await operator.post(`/businesses/${businessId}/evidence`, seen)
  const evidenceId = textAt(expectStatus(evidence, 201, 'evidence').body, 'id')
  const basis = {
    kind: 'consent',
    form: 'written',
    language: 'en',
    agreedTo: 'News about windpumps by email.',
    channels: ['email'],
    purpose: 'introduction',
    jurisdiction: 'za',
    documentReference: 'Acceptance',
    from: days(-1),
    until: days(100),
  }
  expectStatus(await operator.post(`/businesses/${businessId}/legal-bases`, basis), 201, 'a legal basis')
  const body = {
    businessId,
    title: 'Acceptance',
    jurisdiction: 'za',
    channel: 'email',
    purpose: 'introduction',
    language: 'en',
    recipient: { kind: 'email', value: email },
    subject: 'Windpumps',
    text: 'You repair windpumps [^1]. {{sender.name}} {{sender.optOut}}',
    citations: [{ marker: 1, evidenceId, quote: 'repair windpumps' }],
  }
  return { businessId, body }
}

/** The policy of the run: proposed by the administrator and approved by the manager. */
async function havePolicy({ administrator, manager }: World): Promise<void> {
  const known = expectStatus(await manager.get('/draft-policies?state=approved'), 200, 'the policies').body
  if (listAt(known, 'items').some((one) => find(one, 'endsAt') !== null && String(find(one, 'endsAt')) > days(0)))
    return
  const proposals = expectStatus(await administrator.get('/draft-policies/proposals'), 200, 'the proposals').body
  const proposal = listAt(proposals, 'items').find(
    (one) => find(one, 'jurisdiction') === 'za' && find(one, 'channel') === 'email',
  )
  const session = expectStatus(await administrator.get('/session'), 200, 'the session').body
  const names = ['legalBases', 'requiredFields', 'freshnessDays', 'acknowledgeable', 'caps', 'optOutText']
  const content = Object.fromEntries(names.map((name) => [name, find(proposal, name)]))
  const body = {
    jurisdiction: 'za',
    channel: 'email',
    ...content,
    // The acceptance of the registry closes a round of its own; this one runs without.
    registryDays: null,
    ownerId: textAt(session, 'user.id'),
    endsAt: days(300),
  }
  const proposed = expectStatus(await administrator.post('/draft-policies', body), 201, 'a policy').body
  const path = `/draft-policies/${textAt(proposed, 'id')}/approvals`
  const own = await administrator.post(path, { reason: 'Acceptance.' })
  expectRefusal(own, 422, 'own_approval', 'the approval of an own policy')
  expectStatus(await manager.post(path, { reason: 'Acceptance.' }), 200, 'the approval of a policy')
}

const seenOf = (draft: unknown) => ({
  contentHash: textAt(draft, 'contentHash'),
  snapshotHash: textAt(draft, 'snapshotHash'),
})

async function approved(world: World, body: object): Promise<unknown> {
  const { operator, manager } = world
  await havePolicy(world)
  const draft = expectStatus(await operator.post('/drafts', body), 201, 'a draft').body
  const path = `/drafts/${textAt(draft, 'id')}`
  expectStatus(await operator.post(`${path}/approval-requests`, seenOf(draft)), 200, 'a request for approval')
  const approval = await manager.post(`${path}/approvals`, { ...seenOf(draft), reason: 'Acceptance.' })
  return find(expectStatus(approval, 200, 'an approval').body, 'draft')
}

const copyBody = (draft: unknown) => ({
  draftVersion: numberAt(draft, 'version'),
  ...seenOf(draft),
  policyVersion: textAt(draft, 'versions.policy'),
})

async function approveAndCopy(world: World): Promise<string> {
  const { operator, manager, neighbour } = world
  await havePolicy(world)
  const { body } = await prospectToWrite(world)
  const own = expectStatus(await manager.post('/drafts', body), 201, 'a draft of the manager').body
  const ownPath = `/drafts/${textAt(own, 'id')}`
  expectStatus(await manager.post(`${ownPath}/approval-requests`, seenOf(own)), 200, 'a request for approval')
  expectRefusal(
    await manager.post(`${ownPath}/approvals`, { ...seenOf(own), reason: 'Acceptance.' }),
    422,
    'own_approval',
    'an own approval',
  )
  const draft = await approved(world, body)
  const path = `/drafts/${textAt(draft, 'id')}`
  const headers = key()
  const first = expectStatus(await operator.post(`${path}/copies`, copyBody(draft), headers), 201, 'a copy').body
  const again = expectStatus(await operator.post(`${path}/copies`, copyBody(draft), headers), 201, 'a replay').body
  expectThat(
    find(first, 'id') === find(again, 'id') && find(first, 'text') === find(again, 'text'),
    'A replayed copy is not the same record.',
  )
  const counted = expectStatus(await operator.get(path), 200, 'the draft').body
  expectThat(numberAt(counted, 'copies.count') === 1, 'A replayed copy was counted again.')
  expectRefusal(await neighbour.get(path), 404, 'not_found', 'a draft for a neighbour')
  expectRefusal(
    await neighbour.post(`${path}/copies`, copyBody(draft), key()),
    404,
    'not_found',
    'a copy for a neighbour',
  )
  return 'An own approval was refused; another person approved; a replayed copy was the same record and counted once.'
}

async function endApprovals(world: World): Promise<string> {
  const { operator } = world
  const ends: [what: string, code: string, end: (draft: unknown, businessId: string) => Promise<unknown>][] = [
    [
      'an edit',
      'approval_ended',
      (draft) =>
        operator.patch(
          `/drafts/${textAt(draft, 'id')}`,
          { subject: 'Other' },
          { 'if-match': `"${numberAt(draft, 'version')}"` },
        ),
    ],
    [
      'new evidence',
      'approval_ended',
      (_draft, businessId) =>
        operator.post(`/businesses/${businessId}/evidence`, {
          field: 'industry',
          value: 'Windpumps',
          sourceLabel: 'A call',
          capturedAt: days(0),
          confidence: 'high',
        }),
    ],
    [
      'suppression',
      'suppressed',
      (_draft, businessId) => operator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'Acceptance.' }),
    ],
  ]
  for (const [what, code, end] of ends) {
    const { businessId, body } = await prospectToWrite(world)
    const draft = await approved(world, body)
    await end(draft, businessId)
    const path = `/drafts/${textAt(draft, 'id')}/copies`
    const refused = await operator.post(path, copyBody(draft), key())
    expectRefusal(refused, code === 'suppressed' ? 422 : 409, code, `a copy after ${what}`)
  }
  return 'Copies were refused after an edit, after new evidence about a cited field, and after do not contact.'
}

async function findNoSender({ openApi }: World): Promise<string> {
  const paths = Object.keys(Object(find(openApi.body, 'paths')))
  expectThat(paths.length > 50, 'The document has too few routes to search.')
  const sending = paths.filter((path) => /\/(?:send|deliver|dispatch|outbox|campaign|message)/i.test(path))
  expectThat(sending.length === 0, `These routes look as if they send: ${sending.join(', ')}.`)
  return `None of ${paths.length} routes sends.`
}
