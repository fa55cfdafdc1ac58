import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { daysAfter } from '../../lib/clock.ts'

export const gates: readonly Gate[] = [
  {
    phase: 5,
    liveClaim: {
      shown: 'Registration, refused queries, dry runs and supplied records were tried.',
      notShown: 'No source was queried.',
      toGoLive: 'To go live, load an adapter, get the approvals of its source, and have an administrator enable it.',
    },
    checks: [
      {
        name: 'a source without its adapter is registered and planned, and a query of it is refused with a reason',
        run: async (world) => {
          const proposal = {
            slug: `acceptance-${randomUUID()}`,
            name: 'Acceptance',
            adapter: { id: 'absent', version: '1' },
          }
          const { body } = expectStatus(await world.administrator.post('/sources', proposal), 201, 'a source')
          const path = `/sources/${textAt(body, 'id')}`
          const businessId = await newProspect(world)
          const query = { businessId, fields: ['name'], provinces: [], maxRecords: 1 }
          const factsOf = async () => (await world.operator.get(`/businesses/${businessId}/facts`)).text
          const before = await factsOf()
          const plan = expectStatus(await world.operator.post(`${path}/dry-runs`, { query }), 200, 'a dry run')
          const stops = listAt(plan.body, 'stoppedBy').map((one) => textAt(one, 'item'))
          expectThat(stops.includes('not_loaded'), 'The dry run does not say that the adapter is not loaded.')
          const asked = { purpose: 'business_records', query }
          const refused = await world.administrator.post(`${path}/queries`, asked, { 'idempotency-key': randomUUID() })
          const answered = expectStatus(refused, 200, 'a query').body
          const [outcome, reason] = [textAt(answered, 'outcome.outcome'), textAt(answered, 'outcome.reason')]
          expectThat(outcome === 'unavailable', `The query returned ${outcome}.`)
          expectThat((await factsOf()) === before, 'A dry run or a refused query changed the facts.')
          for (const foreign of [
            await world.neighbour.get(path),
            await world.neighbour.post(`${path}/dry-runs`, { query }),
            await world.neighbour.post(`${path}/queries`, asked, { 'idempotency-key': randomUUID() }),
          ])
            expectRefusal(foreign, 404, 'not_found', 'the source for another tenant')
          return `The plan is stopped by ${stops.length} conditions and wrote no fact, the query is unavailable (${reason}), another tenant gets 404.`
        },
      },
      {
        name: 'an incomplete source stays disabled and says why, and nobody approves their own version',
        run: async ({ administrator, secondAdministrator, neighbour }) => {
          const proposal = {
            slug: `acceptance-${randomUUID()}`,
            name: 'Incomplete',
            adapter: { id: 'absent', version: '1' },
          }
          const created = expectStatus(await administrator.post('/sources', proposal), 201, 'a source').body
          const path = `/sources/${textAt(created, 'id')}`
          const decision = {
            fingerprint: textAt(created, 'fingerprint'),
            reason: 'Acceptance.',
            endsAt: daysAfter(Date.now(), 1),
          }
          const approval = { ...decision, desk: 'product', decision: 'approve' }
          const own = await administrator.post(`${path}/approvals`, approval)
          expectRefusal(own, 422, 'own_approval', 'an approval by the author')
          const enabling = await secondAdministrator.post(`${path}/enablement`, decision)
          expectThat(enabling.status === 422, `The enablement returned ${enabling.status}, not 422.`)
          const foreign = await neighbour.post(`${path}/enablement`, decision)
          expectRefusal(foreign, 404, 'not_found', 'the enablement by another tenant')
          const { body } = expectStatus(await administrator.get(path), 200, 'the source')
          expectThat(find(body, 'status') === 'incomplete', 'The source is not incomplete.')
          return `It is incomplete for ${listAt(body, 'openItems').length} reasons; its author and a second administrator were refused.`
        },
      },
      {
        name: 'a reference is recorded on a prospect with an observation that names it',
        run: async (world) => {
          const id = await newProspect(world)
          const sources = expectStatus(await world.operator.get('/sources'), 200, 'the sources')
          const manual = listAt(sources.body, 'items').find((one) => textAt(one, 'slug') === 'manual')
          const reference = {
            sourceId: textAt(manual, 'id'),
            raw: 'Acceptance Brewery, 1 Long Street',
            attribution: 'A trade directory',
            capturedAt: '2026-01-01T08:00:00Z',
            observations: [{ field: 'address.street', value: '1 Long Street', confidence: 'medium' }],
          }
          const { body } = expectStatus(
            await world.operator.post(`/businesses/${id}/source-records`, reference),
            201,
            'a record',
          )
          const evidence = expectStatus(await world.operator.get(`/businesses/${id}/evidence`), 200, 'its evidence')
          const named = listAt(evidence.body, 'items').map((one) => textAt(one, 'sourceRecordId'))
          expectThat(named.length === 1 && named[0] === textAt(body, 'id'), 'The observation does not name its record.')
          return 'One reference was recorded as supplied by an operator, with one observation that names it.'
        },
      },
    ],
  },
]
