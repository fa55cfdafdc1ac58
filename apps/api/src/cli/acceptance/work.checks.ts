import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
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
import { newProspect } from './records.checks.ts'

/** A job or a report that has not ended by then counts as stuck. */
const JOB_PATIENCE_MS = 60_000
const ASK_EVERY_MS = 100

const ended = ['succeeded', 'failed', 'cancelled']

/** Asks until the status is one of an end. */
async function untilEnded(client: Client, path: string): Promise<Answer> {
  const givesUpAt = performance.now() + JOB_PATIENCE_MS
  for (;;) {
    const answer = expectStatus(await client.get(path), 200, 'reading a job')
    if (ended.includes(textAt(answer.body, 'status'))) return answer
    expectThat(performance.now() < givesUpAt, `It had not ended after ${JOB_PATIENCE_MS / 1_000} seconds.`)
    await delay(ASK_EVERY_MS)
  }
}

/** Asks until there is something: what follows a change comes soon after it. */
async function untilThere(ask: () => Promise<unknown>): Promise<unknown> {
  const givesUpAt = performance.now() + JOB_PATIENCE_MS
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    expectThat(performance.now() < givesUpAt, `It was not there after ${JOB_PATIENCE_MS / 1_000} seconds.`)
    await delay(ASK_EVERY_MS)
  }
}

const demonstration = (steps: number) => ({ kind: 'demonstration', input: { steps, stepMs: 10 } })

type Work = { client: Client; some: Record<string, unknown>; other: Record<string, unknown>; isLong: boolean }

/** The demonstration; where that is not offered, as in production, a verification of the audit by who may ask for it. */
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
      name: 'a job is made once per key, runs, and tells its events in order',
      run: async (world) => {
        const { client, some, other, isLong } = await workOf(world)
        const body1 = isLong ? other : some
        const body2 = isLong ? some : other
        const key = { 'idempotency-key': randomUUID() }
        const made = expectStatus(await client.post('/jobs', body1, key), 201, 'a job')
        const id = textAt(made.body, 'id')
        const again = expectStatus(await client.post('/jobs', body1, key), 201, 'the same job')
        expectThat(textAt(again.body, 'id') === id, 'The same key and request made a second job.')
        const conflicting = await client.post('/jobs', body2, key)
        expectRefusal(conflicting, 422, 'idempotency_key_reused', 'the key with another request')
        const keyless = await client.post('/jobs', body1)
        expectRefusal(keyless, 400, 'idempotency_key_required', 'a job without a key')
        const { body } = await untilEnded(client, `/jobs/${id}`)
        expectThat(find(body, 'status') === 'succeeded', `The job ended as ${String(find(body, 'status'))}.`)
        const events = await client.get(`/jobs/${id}/events`)
        const sequences = listAt(events.body, 'items').map((event) => numberAt(event, 'sequence'))
        const inOrder = sequences.every((sequence, index) => sequence === index + 1)
        expectThat(inOrder && sequences.length > 1, 'The events are not counted from 1 without a gap.')
        const rest = await client.get(`/jobs/${id}/events?after=1`)
        expectThat(numberAt(rest.body, 'items.0.sequence') === 2, 'A cursor does not go on behind it.')
        return `One job of two requests, succeeded; ${sequences.length} events, replayed from a cursor.`
      },
    },
    {
      name: 'a job is cancelled, and tried again as a new attempt of the same lineage',
      run: async (world) => {
        const { client, some, isLong } = await workOf(world)
        const key = () => ({ 'idempotency-key': randomUUID() })
        const made = await client.post('/jobs', some, key())
        const id = textAt(expectStatus(made, 201, 'a job to be cancelled').body, 'id')
        expectStatus(await client.post(`/jobs/${id}/cancellation`, {}), 200, 'a cancellation')
        const { body } = await untilEnded(client, `/jobs/${id}`)
        if (!isLong && find(body, 'status') === 'succeeded') {
          const refused = await client.post(`/jobs/${id}/retry`, {}, key())
          expectRefusal(refused, 422, 'job_not_retryable', 'a retry of a job that succeeded')
          return 'The job was done before it could be cancelled, and said so; it cannot be tried again.'
        }
        expectThat(find(body, 'status') === 'cancelled', 'The cancelled job ended otherwise.')
        const retried = expectStatus(await client.post(`/jobs/${id}/retry`, {}, key()), 201, 'a retry')
        expectThat(find(retried.body, 'retryOf') === id, 'The retry is not linked to the job.')
        expectThat(numberAt(retried.body, 'attempt') === 2, 'The retry is not attempt 2.')
        await client.post(`/jobs/${textAt(retried.body, 'id')}/cancellation`, {})
        return 'The job ended as cancelled; its retry is attempt 2 and names the original.'
      },
    },
  ],
}

export const sources: Gate = {
  id: 'phase_5',
  title: 'Sources',
  phase: 5,
  checks: [
    {
      name: 'a CSV file is previewed, and nothing of it is stored',
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
        return `Two rows were read, ${problems} with a problem; the number of prospects stayed.`
      },
    },
  ],
}

export const normalization: Gate = {
  id: 'phase_6',
  title: 'Normalization and duplicate review',
  phase: 6,
  checks: [
    {
      name: 'a local number is read with its country only, what was typed stays, the version is told',
      run: async (world) => {
        const id = await newProspect(world, {
          phones: [{ value: '021 555 0101', region: 'ZA' }, { value: '021 555 0102' }],
        })
        const { body } = await world.operator.get(`/businesses/${id}`)
        expectThat(find(body, 'phones.0.normalized') === '+27215550101', 'The number with its country was not read.')
        expectThat(find(body, 'phones.0.value') === '021 555 0101', 'The number is not kept as typed.')
        const isGuessed = find(body, 'phones.1.normalized') !== null
        expectThat(!isGuessed, 'A local number without its country was guessed.')
        textAt(body, 'phones.1.uncertainty')
        return `Read by rules ${textAt(body, 'normalizationVersion')}; without a country it stays uncertain, with the reason.`
      },
    },
    {
      name: 'an identical identifier is pointed out on entry',
      run: async (world) => {
        const email = `${randomUUID()}@acceptance.example`
        const id = await newProspect(world, { emails: [{ value: email }] })
        const { body } = await world.operator.post('/businesses/duplicate-checks', { emails: [email.toUpperCase()] })
        expectThat(find(body, 'items.0.id') === id, 'The identical address is not pointed out.')
        const foreign = await world.neighbour.post('/businesses/duplicate-checks', { emails: [email] })
        expectThat(listAt(foreign.body, 'items').length === 0, 'A record of another tenant is pointed out.')
        return 'The record with the same address was named, and to its own tenant only.'
      },
    },
    {
      name: 'two records that may be one business are suggested with reasons and versions, and a person says no',
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
        expectRefusal(await world.neighbour.get(one), 404, 'not_found', 'the suggestion for a neighbour')
        const rejected = await world.operator.post(`${one}/rejection`, { reason: 'Two branches.' })
        expectThat(find(rejected.body, 'status') === 'rejected', 'The suggestion is not rejected.')
        return `Suggested as ${band} with ${score}, and rejected with a reason; a neighbour finds nothing.`
      },
    },
  ],
}

export const crm: Gate = {
  id: 'phase_12',
  title: 'CRM',
  phase: 12,
  checks: [
    {
      name: 'do not contact blocks at once and stays through moves and edits',
      run: async (world) => {
        const id = await newProspect(world)
        const blocked = await world.operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
        expectStatus(blocked, 200, 'a block')
        await world.operator.post(`/businesses/${id}/pipeline-transitions`, { to: 'contacted' })
        const { body } = await world.operator.get(`/businesses/${id}`)
        expectThat(find(body, 'doNotContact.reason') === 'They asked.', 'The block did not stay.')
        const list = await world.operator.get('/businesses?doNotContact=true')
        const marked = listAt(list.body, 'items').find((item) => find(item, 'id') === id)
        expectThat(find(marked, 'doNotContact') === true, 'The list does not mark the record.')
        return 'Marked on the record and in the list, after a move as before.'
      },
    },
    {
      name: 'an interaction is history, and moves nothing',
      run: async (world) => {
        const id = await newProspect(world)
        const happened = { occurredAt: '2026-01-01T08:00:00Z', channel: 'phone', outcome: 'connected' }
        expectStatus(await world.operator.post(`/businesses/${id}/interactions`, happened), 201, 'an interaction')
        const invented = { ...happened, outcome: 'delivered' }
        expectStatus(await world.operator.post(`/businesses/${id}/interactions`, invented), 400, 'an unknown outcome')
        const { body } = await world.operator.get(`/businesses/${id}`)
        expectThat(find(body, 'pipelineState') === 'new', 'The interaction moved the prospect.')
        return 'It was written; an outcome outside the vocabulary was refused; the state stayed new.'
      },
    },
    {
      name: 'a report says its interval, its time and what each figure counts',
      run: async (world) => {
        const asked = { from: '2026-01-01', to: '2026-01-31', timeZone: 'Africa/Johannesburg' }
        const key = { 'idempotency-key': randomUUID() }
        const made = expectStatus(await world.operator.post('/reports', asked, key), 201, 'a report')
        const { body } = await untilEnded(world.operator, `/reports/${textAt(made.body, 'id')}`)
        expectThat(find(body, 'status') === 'succeeded', `The report ended as ${String(find(body, 'status'))}.`)
        for (const path of ['asOf', 'startsAt', 'endsAt', 'timeZone', 'result.figuresHash']) textAt(body, path)
        const figures = listAt(body, 'result.figures')
        for (const figure of figures) textAt(figure, 'semantics')
        return `${figures.length} figures, each with its semantics, under one hash.`
      },
    },
  ],
}
