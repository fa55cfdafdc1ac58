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
        name: 'do not contact applies at once and survives moves and edits',
        run: async (world) => {
          const id = await newProspect(world)
          const blocked = await world.operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
          expectStatus(blocked, 200, 'a block')
          await world.operator.post(`/businesses/${id}/pipeline-transitions`, { to: 'contacted' })
          const { body } = await world.operator.get(`/businesses/${id}`)
          expectThat(find(body, 'doNotContact.reason') === 'They asked.', 'The block did not survive.')
          const list = await world.operator.get('/businesses?doNotContact=true')
          const marked = listAt(list.body, 'items').find((item) => find(item, 'id') === id)
          expectThat(find(marked, 'doNotContact') === true, 'The list does not mark the record.')
          return 'Marked on the record and in the list, before and after a move.'
        },
      },
      { name: 'a suppressed address marks every record that has it, earlier and later ones', run: suppress },
      {
        name: 'only an authorized removal with a reason ends a suppression, and its audit event is read back',
        run: liftSuppression,
      },
    ],
  },
]

async function suppression(world: World): Promise<{ email: string; id: string; marked: number }> {
  const email = `${randomUUID()}@suppressed.example`
  await newProspect(world, { emails: [{ value: email }] })
  const entry = { kind: 'email', value: email.toUpperCase(), reason: 'They asked.', channel: 'phone' }
  const { body } = expectStatus(await world.operator.post('/suppressions', entry), 201, 'a suppression')
  return { email, id: textAt(body, 'suppression.id'), marked: numberAt(body, 'marked') }
}

async function suppress(world: World): Promise<string> {
  const { email, id, marked } = await suppression(world)
  expectThat(marked === 1, 'The earlier record is not marked.')
  const later = await newProspect(world, { emails: [{ value: `Somebody <${email}>` }, { value: email }] })
  const { body: seen } = await world.operator.get(`/businesses/${later}`)
  expectThat(find(seen, 'doNotContact') !== null, 'The later record is not marked.')
  await world.operator.post(`/businesses/${later}/pipeline-transitions`, { to: 'contacted' })
  const { body: moved } = await world.operator.get(`/businesses/${later}`)
  expectThat(find(moved, 'doNotContact') !== null, 'A move removed the mark.')
  const hidden = await world.viewer.get(`/businesses/${later}`)
  expectThat(!hidden.text.includes(email), 'A viewer can read the address of a do-not-contact record.')
  expectRefusal(await world.neighbour.get(`/suppressions/${id}`), 404, 'not_found', 'the entry for another tenant')
  const foreign = await world.neighbour.post('/businesses', { name: 'Acceptance', emails: [{ value: email }] })
  const { body: ofNeighbour } = await world.neighbour.get(`/businesses/${textAt(foreign.body, 'id')}`)
  expectThat(find(ofNeighbour, 'doNotContact') === null, 'The entry marks a record of another tenant.')
  return 'The earlier and a later record are marked, in another spelling and after a move; a viewer reads no address.'
}

async function liftSuppression(world: World): Promise<string> {
  const { email, id } = await suppression(world)
  const business = await newProspect(world, { emails: [{ value: email }] })
  const removal = `/suppressions/${id}/removal`
  const denied = await world.operator.post(removal, { reason: 'I want to.' })
  expectRefusal(denied, 403, 'permission_denied', 'a removal by an operator')
  expectStatus(await world.administrator.post(removal, {}), 400, 'a removal without a reason')
  const removed = await world.administrator.post(removal, { reason: 'They asked to be called again.' })
  const { body } = expectStatus(removed, 200, 'a removal')
  expectThat(find(body, 'event.action') === 'suppression.remove', 'The audit event was not read back.')
  const history = await world.operator.get(`/suppressions/${id}/history`)
  expectThat(listAt(history.body, 'items').length > 1, 'The history of the entry was lost.')
  const { body: freed } = await world.operator.get(`/businesses/${business}`)
  expectThat(find(freed, 'doNotContact') === null, 'The record is still marked.')
  return 'An operator and a removal without a reason were refused; the removal returned its audit event, and the entry keeps its history.'
}
