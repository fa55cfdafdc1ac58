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
import { newProspect } from '../../acceptance/new-prospect.ts'

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
      {
        name: 'an erased prospect cannot be read anywhere, the audit chain stays intact, and its address stays suppressed',
        run: async (world) => {
          const { administrator, operator, neighbour } = world
          const mark = randomUUID()
          const email = `${mark}@erased.example`
          const path = `/businesses/${await prospectThatSays(world, mark, email)}`
          expectStatus(await operator.post(`${path}/do-not-contact`, { reason: 'They asked.' }), 200, 'a block')
          for (const part of parts.filter((one) => one !== '/pipeline-transitions')) {
            const { text } = await operator.get(`${path}${part}`)
            expectThat(
              text.includes(mark),
              `The text to erase is missing from /businesses/…${part} before the erasure.`,
            )
          }
          const reason = { reason: 'The person asked for it.' }
          expectRefusal(
            await operator.post(`${path}/erasure`, reason),
            403,
            'permission_denied',
            'an erasure by an operator',
          )
          expectRefusal(
            await neighbour.post(`${path}/erasure`, reason),
            404,
            'not_found',
            'an erasure by another tenant',
          )
          expectStatus(await administrator.post(`${path}/erasure`, {}), 400, 'an erasure without a reason')
          const { body } = expectStatus(await administrator.post(`${path}/erasure`, reason), 200, 'an erasure')
          expectThat(textAt(body, 'event.action') === 'business.erase', 'The audit event was not read back.')
          expectStatus(await administrator.post(`${path}/erasure`, reason), 409, 'a second erasure')

          const audit = `/audit-events?subjectId=${path.slice('/businesses/'.length)}`
          for (const read of [...parts.map((part) => `${path}${part}`), audit]) {
            const { text } = expectStatus(await administrator.get(read), 200, 'reading the remaining record')
            expectThat(!text.includes(mark), `${read.replace(path, '/businesses/…')} still contains erased text.`)
          }
          const found = await operator.get(`/businesses?q=${mark}`)
          expectThat(listAt(found.body, 'items').length === 0, 'A search still finds the record.')
          const again = await operator.get(`/businesses/${await newProspect(world, { emails: [{ value: email }] })}`)
          expectThat(find(again.body, 'doNotContact') !== null, 'The same address in a new record is not suppressed.')
          const chain = expectStatus(await administrator.get('/audit-events/verification'), 200, 'verification')
          expectThat(find(chain.body, 'status') === 'intact', `The chain is ${String(find(chain.body, 'status'))}.`)
          return `Gone from ${parts.length + 1} lists and the search, ${numberAt(body, 'erased.auditEvents')} events emptied, the chain intact; a new record with the same address is do not contact.`
        },
      },
    ],
  },
]

/** Routes of a record and of its children. */
const parts = ['', '/facts', '/evidence', '/notes', '/interactions', '/pipeline-transitions', '/activity']

async function prospectThatSays(world: World, mark: string, email: string): Promise<string> {
  const id = await newProspect(world, { name: `Erased ${mark}`, tags: [mark.slice(0, 8)], emails: [{ value: email }] })
  const seen = {
    field: 'email',
    value: email,
    capturedAt: '2026-01-01T08:00:00Z',
    confidence: 'high',
    sourceLabel: mark,
  }
  const happened = { occurredAt: '2026-01-01T08:00:00Z', channel: 'phone', outcome: 'connected', summary: mark }
  const { operator } = world
  expectStatus(await operator.post(`/businesses/${id}/evidence`, seen), 201, 'evidence')
  expectStatus(await operator.post(`/businesses/${id}/notes`, { text: mark }), 201, 'a note')
  expectStatus(await operator.post(`/businesses/${id}/interactions`, happened), 201, 'an interaction')
  return id
}
