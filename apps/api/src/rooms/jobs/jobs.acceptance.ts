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
} from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { untilEnded } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
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
  },
]

const demonstration = (steps: number) => ({ kind: 'demonstration', input: { steps, stepMs: 10 } })

type Work = { client: Client; some: Record<string, unknown>; other: Record<string, unknown>; isLong: boolean }

/**
 * Returns the jobs that the checks create: demonstration jobs of the operator. Where that kind is not offered, as in production, jobs that the
 * administrator can create.
 */
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

/** Returns the ids of a stream's events, which are their sequence numbers. */
function sequencesOf(stream: string): number[] {
  return [...stream.matchAll(/^id: ?(\d+)$/gm)].map(([, id]) => Number(id))
}
