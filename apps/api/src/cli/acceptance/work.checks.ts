import { randomUUID } from 'node:crypto'
import {
  type Client,
  expectRefusal,
  expectStatus,
  expectThat,
  find,
  listAt,
  numberAt,
  textAt,
} from './acceptance-client.ts'
import type { Gate, World } from './gates.ts'
import { untilEnded } from './patience.ts'
import { newProspect } from './records.checks.ts'

const demonstration = (steps: number) => ({ kind: 'demonstration', input: { steps, stepMs: 10 } })

type Work = { client: Client; some: Record<string, unknown>; other: Record<string, unknown>; isLong: boolean }

/** Returns the demonstration job. If it is not available, as in production, returns a verification of the audit by an administrator. */
async function workOf({ operator, administrator }: World): Promise<Work> {
  const { body } = expectStatus(await operator.get('/job-kinds'), 200, 'the kinds of jobs')
  const isOffered = listAt(body, 'items').some((kind) => find(kind, 'kind') === 'demonstration')
  return isOffered
    ? { client: operator, some: demonstration(1_000), other: demonstration(3), isLong: true }
    : {
        client: administrator,
        some: { kind: 'audit-verification', input: {} },
        other: { kind: 'sample-data', input: {} },
        isLong: false,
      }
}

export const jobs: Gate = {
  id: 'phase_4',
  title: 'Jobs',
  phase: 4,
  checks: [
    {
      name: 'a job is created once per key, runs, and lists its events in order',
      run: async (world) => {
        const { client, some, other, isLong } = await workOf(world)
        const body1 = isLong ? other : some
        const body2 = isLong ? some : other
        const key = { 'idempotency-key': randomUUID() }
        const made = expectStatus(await client.post('/jobs', body1, key), 202, 'a job')
        const id = textAt(made.body, 'id')
        const again = expectStatus(await client.post('/jobs', body1, key), 202, 'the same job')
        expectThat(textAt(again.body, 'id') === id, 'The same key and request created a second job.')
        const conflicting = await client.post('/jobs', body2, key)
        expectRefusal(conflicting, 422, 'idempotency_key_reused', 'the key with another request')
        const keyless = await client.post('/jobs', body1)
        expectRefusal(keyless, 400, 'idempotency_key_required', 'a job without a key')
        const { body } = await untilEnded(client, `/jobs/${id}`)
        expectThat(find(body, 'status') === 'succeeded', `The job ended as ${String(find(body, 'status'))}.`)
        const events = await client.get(`/jobs/${id}/events`)
        const sequences = listAt(events.body, 'items').map((event) => numberAt(event, 'sequence'))
        const inOrder = sequences.every((sequence, index) => sequence === index + 1)
        expectThat(inOrder && sequences.length > 1, 'The events are not numbered from 1 without a gap.')
        const rest = await client.get(`/jobs/${id}/events?after=1`)
        expectThat(numberAt(rest.body, 'items.0.sequence') === 2, 'A cursor does not continue after its event.')
        return `One job of two requests, succeeded; ${sequences.length} events, replayed from a cursor.`
      },
    },
    {
      name: 'a job is cancelled, and retried as a new attempt of the same lineage',
      run: async (world) => {
        const { client, some, isLong } = await workOf(world)
        const key = () => ({ 'idempotency-key': randomUUID() })
        const made = await client.post('/jobs', some, key())
        const id = textAt(expectStatus(made, 202, 'a job to be cancelled').body, 'id')
        expectStatus(await client.post(`/jobs/${id}/cancellation`, {}), 200, 'a cancellation')
        const { body } = await untilEnded(client, `/jobs/${id}`)
        if (!isLong && find(body, 'status') === 'succeeded') {
          const refused = await client.post(`/jobs/${id}/retry`, {}, key())
          expectRefusal(refused, 422, 'job_not_retryable', 'a retry of a job that succeeded')
          return 'The job ended before it could be cancelled, and said so; it cannot be retried.'
        }
        expectThat(find(body, 'status') === 'cancelled', 'The cancelled job has another final status.')
        const retried = expectStatus(await client.post(`/jobs/${id}/retry`, {}, key()), 202, 'a retry')
        expectThat(find(retried.body, 'retryOf') === id, 'The retry is not linked to the job.')
        expectThat(numberAt(retried.body, 'attempt') === 2, 'The retry is not attempt 2.')
        await client.post(`/jobs/${textAt(retried.body, 'id')}/cancellation`, {})
        return 'The job ended as cancelled; its retry is attempt 2 and names the original.'
      },
    },
    {
      name: 'the monitor lists jobs by page and follows one by a stream that continues after a cursor',
      run: async (world) => {
        const { client, some, other, isLong } = await workOf(world)
        const key = { 'idempotency-key': randomUUID() }
        const made = expectStatus(await client.post('/jobs', isLong ? other : some, key), 202, 'a job')
        const id = textAt(made.body, 'id')
        await untilEnded(client, `/jobs/${id}`)
        const page = expectStatus(await client.get('/jobs?limit=1'), 200, 'the list of jobs')
        expectThat(listAt(page.body, 'items').length === 1, 'A page of one job has another number of jobs.')
        textAt(page.body, 'page.nextCursor')
        const whole = sequencesOf(expectStatus(await client.get(`/jobs/${id}/events/stream`), 200, 'the stream').text)
        expectThat(whole.length > 1 && whole[0] === 1, 'The stream does not begin with the first event.')
        const rest = await client.send('GET', `/jobs/${id}/events/stream`, { headers: { 'last-event-id': '1' } })
        expectThat(
          sequencesOf(rest.text).join() === whole.slice(1).join(),
          'The stream does not continue at its cursor.',
        )
        expectRefusal(await world.neighbour.get(`/jobs/${id}`), 404, 'not_found', 'the job for another tenant')
        const foreign = await world.neighbour.get(`/jobs/${id}/events/stream`)
        expectRefusal(foreign, 404, 'not_found', 'the stream for another tenant')
        return `${whole.length} events arrived by the stream, ${whole.length - 1} of them after a cursor; another tenant gets 404.`
      },
    },
  ],
}

/** Returns the ids of a stream's events, which are their sequence numbers. */
function sequencesOf(stream: string): number[] {
  return [...stream.matchAll(/^id: ?(\d+)$/gm)].map(([, id]) => Number(id))
}

export const sources: Gate = {
  id: 'phase_5',
  title: 'Sources',
  phase: 5,
  checks: [
    {
      name: 'a CSV file is previewed, and no record is stored',
      run: async (world) => {
        const count = async () => numberAt((await world.operator.get('/businesses?limit=1')).body, 'page.total.value')
        const before = await count()
        const answer = await world.operator.send('POST', '/csv-previews', {
          text: 'Name,Email\nAcceptance Brewery,info@brewery.example\nAcceptance Bakery,not an address\n',
          headers: { 'content-type': 'text/csv' },
        })
        expectStatus(answer, 201, 'a preview')
        expectThat(numberAt(answer.body, 'totals.rows') === 2, 'The preview does not read two rows.')
        expectThat((await count()) === before, 'The preview stored a record.')
        const problems = numberAt(answer.body, 'totals.rowsWithProblems')
        return `Two rows were read, ${problems} with a problem; the number of prospects stayed the same.`
      },
    },
    {
      name: 'a preview reports known records, do-not-contact rows, and the place where a file breaks',
      run: async (world) => {
        const [held, blocked] = [`${randomUUID()}@held.example`, `${randomUUID()}@blocked.example`]
        await newProspect(world, { emails: [{ value: held }] })
        const entry = { kind: 'email', value: blocked, reason: 'They asked.', channel: 'phone' }
        expectStatus(await world.operator.post('/suppressions', entry), 201, 'a suppression')
        const preview = (text: string) =>
          world.operator.send('POST', '/csv-previews', { text, headers: { 'content-type': 'text/csv' } })
        const { body } = expectStatus(await preview(`Name,Email\nA,${held}\nB,${blocked}\nC,\n`), 201, 'a preview')
        expectThat(numberAt(body, 'totals.matchingRows') === 1, 'The row of a known record is not reported.')
        expectThat(numberAt(body, 'totals.doNotContactRows') === 1, 'The suppressed row is not marked.')
        const rows = expectStatus(await world.operator.get(`/csv-previews/${textAt(body, 'id')}/rows`), 200, 'its rows')
        expectThat(listAt(rows.body, 'items').length > 0, 'The rows cannot be paged through.')
        const foreign = await world.neighbour.get(`/csv-previews/${textAt(body, 'id')}`)
        expectRefusal(foreign, 404, 'not_found', 'the preview for another tenant')
        const broken = await preview('Name,Email\n"A,a@b.example\n')
        const fault = textAt(broken.body, 'fault.code')
        return `One row is known, one is do not contact; a broken file was reported as ${fault}; another tenant gets 404.`
      },
    },
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
        const plan = expectStatus(await world.operator.post(`${path}/dry-runs`, { query }), 200, 'a dry run')
        const stops = listAt(plan.body, 'stoppedBy').map((one) => textAt(one, 'item'))
        expectThat(stops.includes('not_loaded'), 'The dry run does not say that the adapter is not loaded.')
        const asked = { purpose: 'business_records', query }
        const refused = await world.administrator.post(`${path}/queries`, asked, { 'idempotency-key': randomUUID() })
        const outcome = textAt(expectStatus(refused, 200, 'a query').body, 'outcome.outcome')
        expectThat(outcome === 'unavailable', `The query returned ${outcome}.`)
        expectRefusal(await world.neighbour.get(path), 404, 'not_found', 'the source for another tenant')
        return `The plan is stopped by ${stops.length} conditions, the query is unavailable, another tenant gets 404.`
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
          endsAt: new Date(Date.now() + 86_400_000).toISOString(),
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
}
