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
import type { Gate } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'

export const gates: readonly Gate[] = [
  {
    phase: null,
    id: 'tenancy',
    title: 'Tenant isolation',
    checks: [
      {
        name: "another tenant's record and a wrong parent are not found",
        run: async (world) => {
          const [id, other] = [await newProspect(world), await newProspect(world)]
          const added = await world.operator.post(`/businesses/${id}/evidence`, evidence)
          const evidenceId = textAt(added.body, 'id')
          const paths = ['', '/evidence', '/notes', '/activity', '/facts', '/pipeline-transitions', '/interactions']
          for (const path of paths) {
            const answer = await world.neighbour.get(`/businesses/${id}${path}`)
            expectRefusal(answer, 404, 'not_found', `another tenant at /businesses/…${path}`)
          }
          expectStatus(await world.neighbour.post(`/businesses/${id}/notes`, { text: 'x' }), 404, 'a neighbour’s note')
          const wrongParent = await world.operator.get(`/businesses/${other}/evidence/${evidenceId}`)
          expectRefusal(wrongParent, 404, 'not_found', 'evidence under the wrong prospect')
          return `${paths.length + 1} requests of another tenant and one with the wrong parent returned 404.`
        },
      },
      {
        name: 'changes appear in the audit of their own tenant only',
        run: async (world) => {
          const id = await newProspect(world)
          const path = `/audit-events?subjectId=${id}`
          const own = expectStatus(await world.administrator.get(path), 200, 'the own audit')
          const foreign = expectStatus(await world.neighbour.get(path), 200, "the other tenant's audit")
          expectThat(listAt(own.body, 'items').length > 0, 'The own audit lacks the change.')
          expectThat(listAt(foreign.body, 'items').length === 0, 'The audit of the other tenant shows the change.')
          return 'The change is in the audit of its tenant, and not in that of the other.'
        },
      },
    ],
  },
  {
    phase: 3,
    checks: [
      {
        name: 'a prospect is created, read, found and listed',
        run: async (world) => {
          const id = await newProspect(world, {
            name: 'Acceptance Windpumps',
            domains: [{ value: 'windpumps.example' }],
          })
          const detail = expectStatus(await world.operator.get(`/businesses/${id}`), 200, 'reading a prospect')
          expectThat(find(detail.body, 'pipelineState') === 'new', 'A new prospect is not in the state new.')
          const found = expectStatus(await world.operator.get('/businesses?q=windpumps'), 200, 'searching')
          const ids = listAt(found.body, 'items').map((item) => find(item, 'id'))
          expectThat(ids.includes(id), 'The search does not find the prospect.')
          return `It was read back and found by its name among ${ids.length}.`
        },
      },
      {
        name: 'lists are bounded and state the meaning of their total',
        run: async (world) => {
          await newProspect(world)
          await newProspect(world)
          const page = expectStatus(await world.operator.get('/businesses?limit=1'), 200, 'listing')
          expectThat(listAt(page.body, 'items').length === 1, 'A page of one row has another number of rows.')
          textAt(page.body, 'page.nextCursor')
          textAt(page.body, 'page.total.counts')
          expectStatus(await world.operator.get('/businesses?limit=100000'), 400, 'a page above the limit')
          return `A page of 1 of ${numberAt(page.body, 'page.total.value')} with a cursor; 100,000 rows were refused.`
        },
      },
      {
        name: 'evidence keeps its source, and a note its prospect',
        run: async (world) => {
          const id = await newProspect(world)
          const added = await world.operator.post(`/businesses/${id}/evidence`, evidence)
          const evidenceId = textAt(expectStatus(added, 201, 'adding evidence').body, 'id')
          const { sourceLabel: _left, ...without } = evidence
          expectStatus(await world.operator.post(`/businesses/${id}/evidence`, without), 400, 'evidence without source')
          const read = await world.operator.get(`/businesses/${id}/evidence/${evidenceId}`)
          expectThat(find(read.body, 'sourceLabel') === 'A visit', 'The evidence does not show its source.')
          expectStatus(await world.operator.post(`/businesses/${id}/notes`, { text: 'Call in May.' }), 201, 'a note')
          const notes = await world.operator.get(`/businesses/${id}/notes`)
          expectThat(listAt(notes.body, 'items').length === 1, 'The note is not listed.')
          return 'Both were read back; evidence without a source was refused.'
        },
      },
      {
        name: 'the pipeline moves by its table only, with before, after, actor and correlation',
        run: async (world) => {
          const id = await newProspect(world)
          const move = (to: string) => world.operator.post(`/businesses/${id}/pipeline-transitions`, { to })
          expectRefusal(await move('won'), 422, 'transition_not_allowed', 'a direct jump')
          expectStatus(await move('contacted'), 200, 'a move')
          expectStatus(await move('contacted'), 200, 'the same move again')
          const history = await world.operator.get(`/businesses/${id}/pipeline-transitions`)
          expectThat(listAt(history.body, 'items').length === 1, 'The repeated move was stored twice.')
          for (const path of ['from', 'to', 'at', 'correlationId', 'actor.id']) textAt(history.body, `items.0.${path}`)
          return 'new to won was refused; new to contacted was stored once, with all required fields.'
        },
      },
      {
        name: 'a stale edit is refused, and a repeated request writes once',
        run: async (world) => {
          const id = await newProspect(world)
          const edit = { tradingName: 'Acceptance' }
          expectStatus(await world.operator.patch(`/businesses/${id}`, edit, { 'if-match': '"1"' }), 200, 'an edit')
          const stale = await world.operator.patch(`/businesses/${id}`, edit, { 'if-match': '"1"' })
          expectRefusal(stale, 412, 'version_conflict', 'a stale edit')
          const key = { 'idempotency-key': randomUUID() }
          const first = await world.operator.post('/businesses', { name: 'Acceptance once' }, key)
          const again = await world.operator.post('/businesses', { name: 'Acceptance once' }, key)
          expectThat(textAt(first.body, 'id') === textAt(again.body, 'id'), 'A replayed key created a second record.')
          const other = await world.operator.post('/businesses', { name: 'Acceptance twice' }, key)
          expectRefusal(other, 422, 'idempotency_key_reused', 'the key with another request')
          return 'The second edit of version 1 was refused; a replayed key returned the first record.'
        },
      },
      {
        name: 'every change names its actor in the audit, and the chain verifies',
        run: async (world) => {
          const id = await newProspect(world)
          const activity = expectStatus(await world.operator.get(`/businesses/${id}/activity`), 200, 'the activity')
          expectThat(find(activity.body, 'items.0.action') === 'business.create', 'The activity lacks the creation.')
          textAt(activity.body, 'items.0.actor.id')
          const chain = expectStatus(await world.administrator.get('/audit-events/verification'), 200, 'verification')
          expectThat(find(chain.body, 'status') === 'intact', `The chain is ${String(find(chain.body, 'status'))}.`)
          return `The chain of ${numberAt(chain.body, 'checkedEvents')} events is intact.`
        },
      },
    ],
  },
]

const evidence = {
  observation: 'The sign above the door',
  sourceLabel: 'A visit',
  capturedAt: '2026-01-01T08:00:00Z',
  confidence: 'high',
}
