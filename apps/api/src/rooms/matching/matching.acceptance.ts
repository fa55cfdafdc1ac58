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
import { untilThere } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
    phase: 6,
    checks: [
      {
        name: 'an identical identifier is reported on entry',
        run: async (world) => {
          const email = `${randomUUID()}@acceptance.example`
          const id = await newProspect(world, { emails: [{ value: email }] })
          const { body } = await world.operator.post('/businesses/duplicate-checks', { emails: [email.toUpperCase()] })
          expectThat(find(body, 'items.0.id') === id, 'The identical address is not reported.')
          const foreign = await world.neighbour.post('/businesses/duplicate-checks', { emails: [email] })
          expectThat(listAt(foreign.body, 'items').length === 0, 'A record of another tenant is reported.')
          return 'The record with the same address was reported, to its own tenant only.'
        },
      },
      {
        name: 'a possible duplicate is suggested with reasons and versions, and a person rejects it',
        run: async (world) => {
          const same = {
            name: `Acceptance Twins ${randomUUID()}`,
            emails: [{ value: `${randomUUID()}@twins.example` }],
            phones: [{ value: '+27 21 555 0199' }],
          }
          const id = await newProspect(world, same)
          await newProspect(world, same)
          const path = `/match-suggestions?businessId=${id}`
          const suggestion = await untilThere(async () => find((await world.operator.get(path)).body, 'items.0'))
          for (const field of ['band', 'normalizationVersion', 'algorithmVersion']) textAt(suggestion, field)
          expectThat(listAt(suggestion, 'reasons').length > 0, 'The suggestion gives no reason.')
          const score = numberAt(suggestion, 'score')
          const band = score >= 0.9 ? 'strong' : 'review'
          expectThat(score >= 0.75 && find(suggestion, 'band') === band, 'The score is not in its band.')
          const one = `/match-suggestions/${textAt(suggestion, 'id')}`
          expectRefusal(await world.neighbour.get(one), 404, 'not_found', 'the suggestion for another tenant')
          const rejected = await world.operator.post(`${one}/rejection`, { reason: 'Two branches.' })
          expectThat(find(rejected.body, 'status') === 'rejected', 'The suggestion is not rejected.')
          return `Suggested as ${band} with ${score}, and rejected with a reason; another tenant gets 404.`
        },
      },
      {
        name: 'two records are merged by a person, read back, and separated again',
        run: mergeAndReverse,
      },
    ],
  },
]

/** Sends each request twice with the same key, as after a lost response. Checks that the merged record accepts no change in between. */
async function mergeAndReverse(world: World): Promise<string> {
  const { administrator, operator, neighbour } = world
  const same = { name: `Acceptance Merge ${randomUUID()}`, emails: [{ value: `${randomUUID()}@merge.example` }] }
  const [survivorId, loserId] = [await newProspect(world, same), await newProspect(world, same)]
  expectStatus(await operator.post(`/businesses/${loserId}/notes`, { text: 'Kept through the merge.' }), 201, 'a note')
  const list = `/match-suggestions?businessId=${survivorId}`
  const suggestion = await untilThere(async () => find((await operator.get(list)).body, 'items.0'))
  const path = `/match-suggestions/${textAt(suggestion, 'id')}`
  const { body: seen } = expectStatus(await operator.get(path), 200, 'the suggestion')
  const body = { survivorId, fingerprint: textAt(seen, 'fingerprint'), reason: 'The same shop.' }
  expectRefusal(await world.viewer.post(`${path}/merge`, body), 403, 'permission_denied', 'a merge by a viewer')
  const stale = await administrator.post(`${path}/merge`, { ...body, fingerprint: `${body.fingerprint}x` }, newKey())
  expectThat(stale.status >= 400 && stale.status < 500, 'A merge of an outdated preview was accepted.')
  expectRefusal(
    await administrator.post(`${path}/merge`, body),
    400,
    'idempotency_key_required',
    'a merge without a key',
  )
  const key = newKey()
  const merged = expectStatus(await administrator.post(`${path}/merge`, body, key), 200, 'a merge')
  const again = expectStatus(await administrator.post(`${path}/merge`, body, key), 200, 'the same merge again')
  const merge = `/merges/${textAt(merged.body, 'id')}`
  expectThat(textAt(again.body, 'id') === textAt(merged.body, 'id'), 'The same key merged twice.')
  expectThat(numberAt(merged.body, 'readBack.throughSurvivor.notes') === 1, 'The survivor does not list the note.')
  textAt(merged.body, 'snapshotHash')
  const onLoser = await operator.post(`/businesses/${loserId}/pipeline-transitions`, { to: 'contacted' })
  expectThat(onLoser.status >= 400 && onLoser.status < 500, 'A merged record accepted a change.')
  expectRefusal(await neighbour.get(merge), 404, 'not_found', 'the merge for another tenant')
  const reversed = await administrator.post(`${merge}/reversal`, { reason: 'Two shops after all.' }, newKey())
  expectThat(find(expectStatus(reversed, 200, 'a reversal').body, 'status') === 'reversed', 'It is not reversed.')
  const { body: loser } = await operator.get(`/businesses/${loserId}`)
  expectThat(find(loser, 'status') === 'active', 'The record is not active again.')
  const notes = await operator.get(`/businesses/${loserId}/notes`)
  expectThat(listAt(notes.body, 'items').length === 1, 'The note did not return to its record.')
  const chain = expectStatus(await administrator.get('/audit-events/verification'), 200, 'verification')
  expectThat(find(chain.body, 'status') === 'intact', 'The audit chain is broken after the reversal.')
  return 'Merged once for two requests, with a snapshot and a read-back; reversed, and both records are active with their own children.'
}

function newKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': randomUUID() }
}
