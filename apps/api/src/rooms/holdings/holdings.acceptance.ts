import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, find, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { untilThere } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
      {
        name: 'everything held about a prospect is collected in one file, with suppressed values marked, for managers only',
        run: collect,
      },
    ],
  },
]

async function collect(world: World): Promise<string> {
  const { administrator, operator, neighbour } = world
  const mark = randomUUID()
  const email = `${mark}@held.example`
  const businessId = await newProspect(world, { name: `<b>${mark}</b>`, emails: [{ value: email }] })
  expectStatus(await operator.post(`/businesses/${businessId}/notes`, { text: `Note ${mark}` }), 201, 'a note')
  const entry = { kind: 'email', value: email, reason: 'They asked.', channel: 'phone' }
  expectStatus(await operator.post('/suppressions', entry), 201, 'a suppression')
  const key = () => ({ 'idempotency-key': randomUUID() })
  const asked = { businessId }
  expectRefusal(await operator.post('/holdings', asked, key()), 403, 'permission_denied', 'a collection by an operator')
  const made = expectStatus(await administrator.post('/holdings', asked, key()), 202, 'a collection').body
  const path = `/holdings/${textAt(made, 'id')}`
  expectRefusal(await neighbour.get(path), 404, 'not_found', 'the collection for another tenant')
  const status = await untilThere(async () => {
    const found = find((await administrator.get(path)).body, 'status')
    return found === 'preparing' ? undefined : found
  })
  expectThat(status === 'ready', `The collection ended as ${String(status)}.`)
  const page = expectStatus(await administrator.get(`${path}/file?format=html`), 200, 'the page').text
  expectThat(page.includes(`Note ${mark}`) && page.includes(email), 'The page lacks a note or an address.')
  expectThat(page.includes('Do not contact') && !page.includes('<b>'), 'The page marks nothing, or is not escaped.')
  const json = expectStatus(await administrator.get(`${path}/file?format=json`), 200, 'the file').text
  expectThat(json.startsWith('{"version":1,') && json.includes(email), 'The file has another form.')
  return 'The file contains the note and the suppressed address, marked; an operator and another tenant get nothing.'
}
