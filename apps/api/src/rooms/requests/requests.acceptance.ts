import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
      {
        name: 'a subject request has a due day, its answer names its acts, and an erasure leaves its record without the person',
        run: answerRequest,
      },
    ],
  },
]

async function answerRequest(world: World): Promise<string> {
  const { administrator, operator, neighbour } = world
  const mark = randomUUID()
  const contact = `${mark}@asked.example`
  const businessId = await newProspect(world, { emails: [{ value: contact }] })
  const requester = { name: `Person ${mark}`, contact }
  const entry = { kind: 'objection', receivedAt: new Date(Date.now() - 60_000).toISOString(), requester, businessId }
  expectRefusal(await operator.post('/subject-requests', entry), 403, 'permission_denied', 'an entry by an operator')
  const made = expectStatus(await administrator.post('/subject-requests', entry), 201, 'a request').body
  const path = `/subject-requests/${textAt(made, 'id')}`
  expectRefusal(await neighbour.get(path), 404, 'not_found', 'the request for another tenant')
  expectThat(/^\d{4}-\d\d-\d\d$/.test(textAt(made, 'dueOn')), 'The request has no due day.')
  const block = { reason: 'They objected.' }
  expectStatus(await operator.post(`/businesses/${businessId}/do-not-contact`, block), 200, 'a block')
  const [act] = listAt((await administrator.get(path)).body, 'foundActs')
  const acts = [textAt(act, 'eventId')]
  const answer = { outcome: 'granted', how: `Told ${mark}.`, acts }
  expectStatus(await administrator.post(`${path}/answer`, answer), 200, 'an answer')
  expectRefusal(await administrator.post(`${path}/answer`, answer), 409, 'subject_request_answered', 'another answer')
  const reason = { reason: 'The person asked for it.' }
  expectStatus(await administrator.post(`/businesses/${businessId}/erasure`, reason), 200, 'an erasure')
  const { body, text } = expectStatus(await administrator.get(path), 200, 'the request after the erasure')
  expectThat(!text.includes(mark), 'The request still contains the data of the person.')
  expectThat(find(body, 'answer.outcome') === 'granted', 'The request lost its outcome.')
  return 'Due within 30 days, answered with the block as its act; after the erasure only its kind, days and outcome remain.'
}
