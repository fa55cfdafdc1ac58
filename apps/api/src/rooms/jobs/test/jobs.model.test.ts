import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { jobWorld, quickTimes, testKind } from '../../../../test/job-world.ts'
import { newId } from '../../../lib/ids.ts'
import { noAdapters } from '../../../load-adapters.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { memberActor } from '../../identity/identity.ts'
import { getJobRow } from '../jobs.queries.ts'
import type { JobStatus } from '../jobs.table.ts'
import { jobKindsOf } from '../jobs.ts'
import { cancelJob } from '../queue/cancel-job.ts'
import { createJob } from '../queue/create-job.ts'
import { retryJob } from '../queue/retry-job.ts'
import { createJobContext } from '../worker/job-context.ts'
import { endJob, requeueJob } from '../worker/job-end.ts'
import { JobInterrupted } from '../worker/job-interrupted.ts'
import { claimOldest } from '../worker/worker-claims.ts'
import { reclaimJob } from '../worker/worker-leases.ts'
import type { ClaimedJob, Runner } from '../worker/worker-options.ts'

/*
 * Tests the state machine of a job against a model, under every interleaving of create, claim, effect, checkpoint, finish, fail, cancel, hand back,
 * lost lease and retry. Workers continue after they have lost their lease. The stored rows must match the model: each job ends once, each effect of a
 * lineage runs once, events have no gaps, and a worker without its lease writes nothing.
 */

type Step =
  | { do: 'create' | 'claim' }
  | { do: 'effect'; lease: number; step: number }
  | { do: 'checkpoint' | 'succeed' | 'fail' | 'stop' | 'handBack'; lease: number }
  | { do: 'cancel' | 'retry' | 'lose'; job: number }

const lease = fc.nat(30)
const job = fc.nat(30)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'create' as const }) },
  { weight: 6, arbitrary: fc.constant({ do: 'claim' as const }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('effect' as const), lease, step: fc.nat(2) }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constantFrom('checkpoint' as const, 'succeed', 'fail', 'stop', 'handBack'), lease }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'retry', 'lose'), job }) },
)

type Expected = {
  id: string
  lineage: string
  attempt: number
  status: JobStatus
  claim: number
  reclaims: number
  isCancelRequested: boolean
  checkpoint: string | null
  events: string[]
}
type Held = { claimed: ClaimedJob; job: Expected; claim: number }

const ended = (status: JobStatus) => status !== 'queued' && status !== 'running'

async function setUp() {
  const kind = testKind(async () => undefined)
  const { t } = await jobWorld([kind])
  const { id: tenantId, users } = t.tenants.home
  const actor = await memberActor(t.store.reader, { tenantId, userId: users.operator.id }, newId())
  if (actor === undefined) throw new Error('The operator is a member.')
  const runner: Runner = {
    store: t.store,
    kinds: jobKindsOf([kind]),
    adapters: noAdapters,
    rooms: [],
    log: pino({ level: 'silent' }),
    times: quickTimes,
  }
  return { store: t.store, kind, actor, runner, tenantId }
}

async function live(steps: readonly Step[]): Promise<void> {
  const { store, kind, actor, runner, tenantId } = await setUp()
  const jobs: Expected[] = []
  const leases: Held[] = []
  const effects = new Set<string>()
  const isHeld = ({ job, claim }: Held) => job.status === 'running' && job.claim === claim
  const rowOf = (id: string) => getJobRow(store.reader, { tenantId, jobId: id, kinds: ['test'] })

  const carryOut = async (step: Step): Promise<void> => {
    switch (step.do) {
      case 'create': {
        const { value } = await change(store, actor, { permission: null, action: 'job.create' }, (tx) =>
          createJob(tx, { kind, input: {} }),
        )
        jobs.push(fresh(value.id, value.id, 1, null))
        return
      }
      case 'claim': {
        const owner = newId()
        const claimed = await store.write('upkeep', async (db) => {
          const value = await claimOldest(db, { tenantId, owner, at: store.clock().toISOString() })
          return { keep: value !== undefined, value }
        })
        const next = jobs.find(({ status }) => status === 'queued')
        expect(claimed?.lease.jobId).toBe(next?.id)
        if (claimed === undefined || next === undefined) return
        Object.assign(next, { status: 'running', claim: next.claim + 1 })
        next.events.push('started')
        leases.push({ claimed, job: next, claim: next.claim })
        return
      }
      case 'cancel':
      case 'retry':
      case 'lose': {
        const target = jobs[step.job % Math.max(jobs.length, 1)]
        if (target !== undefined) await touch(step.do, target)
        return
      }
      default: {
        const held = leases[step.lease % Math.max(leases.length, 1)]
        if (held !== undefined) await work(step, held)
      }
    }
  }

  async function touch(what: 'cancel' | 'retry' | 'lose', target: Expected): Promise<void> {
    const row = await rowOf(target.id)
    if (what === 'cancel') {
      const { value } = await change(store, actor, { permission: null, action: 'job.cancel' }, async (tx) =>
        cancelJob(tx, kind, row),
      )
      const outcome = ended(target.status) ? 'too_late' : target.status === 'queued' ? 'cancelled' : 'requested'
      expect(value).toBe(outcome)
      if (outcome === 'cancelled') end(target, 'cancelled')
      if (outcome === 'requested' && !target.isCancelRequested) target.events.push('cancel_requested')
      if (outcome !== 'too_late') target.isCancelRequested = true
    } else if (what === 'retry') {
      const newest = Math.max(...jobs.filter(({ lineage }) => lineage === target.lineage).map(({ attempt }) => attempt))
      const isAllowed = (target.status === 'failed' || target.status === 'cancelled') && target.attempt === newest
      const retried = change(store, actor, { permission: null, action: 'job.retry' }, (tx) =>
        retryJob(tx, kind, row, newId()),
      )
      if (!isAllowed) await expect(retried).rejects.toMatchObject({ code: 'job_not_retryable' })
      else jobs.push(fresh((await retried).value.id, target.lineage, target.attempt + 1, target.checkpoint))
    } else if (target.status === 'running') {
      await reclaimJob(runner, row)
      if (target.isCancelRequested) end(target, 'cancelled')
      else if (target.reclaims >= 5) end(target, 'failed')
      else {
        Object.assign(target, { status: 'queued', reclaims: target.reclaims + 1 })
        target.events.push('reclaimed')
      }
    }
  }

  async function work(step: Extract<Step, { lease: number }>, held: Held): Promise<void> {
    const { claimed, job } = held
    const controller = new AbortController()
    const { context, close } = createJobContext(runner, claimed, kind, controller)
    const may = isHeld(held)
    const expectFenced = (writing: Promise<unknown>) =>
      may ? writing : expect(writing).rejects.toBeInstanceOf(JobInterrupted)
    switch (step.do) {
      case 'effect':
        await expectFenced(
          context(actor).effect(`${step.step}`, { action: 'test.trace' }, async (tx) => {
            await tx.record({ subject: { type: 'test.trace', id: `${job.lineage} ${step.step}` } })
          }),
        )
        if (may) effects.add(`${job.lineage} ${step.step}`)
        break
      case 'checkpoint': {
        const state = { at: newId() }
        await expectFenced(context(actor).checkpoint(state))
        if (!may) break
        job.checkpoint = JSON.stringify(state)
        job.events.push('checkpoint')
        break
      }
      case 'handBack':
        await requeueJob(runner, claimed.lease, { type: 'handed_back', progress: null })
        if (!may) break
        job.status = 'queued'
        job.events.push('handed_back')
        break
      default: {
        const outcome = outcomes[step.do]
        await endJob(runner, claimed, { outcome, progress: null })
        if (may) end(job, outcome.status)
      }
    }
    await close()
  }

  for (const step of steps) await carryOut(step)
  await compare(store, jobs, effects)
}

const outcomes = {
  succeed: { status: 'succeeded', result: null },
  fail: { status: 'failed', error: { code: 'conflict', message: 'No.' }, isFinal: true },
  stop: { status: 'cancelled' },
} as const

function fresh(id: string, lineage: string, attempt: number, checkpoint: string | null): Expected {
  return {
    id,
    lineage,
    attempt,
    status: 'queued',
    claim: 0,
    reclaims: 0,
    isCancelRequested: false,
    checkpoint,
    events: ['created'],
  }
}

function end(job: Expected, status: JobStatus): void {
  job.status = status
  job.events.push(status)
}

async function compare(store: Store, jobs: readonly Expected[], effects: ReadonlySet<string>): Promise<void> {
  const rows = await store.reader.selectFrom('jobs').selectAll().orderBy('id').execute()
  const events = await store.reader.selectFrom('job_events').selectAll().orderBy('job_id').orderBy('sequence').execute()
  const kept = rows.map((row) => {
    const own = events.filter(({ job_id }) => job_id === row.id)
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_event, index) => index + 1))
    expect(row.last_sequence).toBe(own.length)
    return {
      id: row.id,
      lineage: row.lineage_id,
      attempt: row.attempt,
      status: row.status,
      claim: row.claim,
      reclaims: row.reclaims,
      isCancelRequested: row.cancel_requested_at !== null,
      checkpoint: row.checkpoint_json,
      events: own.map(({ type }) => type),
    }
  })
  expect(kept).toEqual([...jobs])
  const traces = await store.reader
    .selectFrom('audit_events')
    .select('subject_id')
    .where('action', '=', 'test.trace')
    .execute()
  expect(traces.map(({ subject_id }) => subject_id).toSorted()).toEqual([...effects].toSorted())
  const ends = await store.reader
    .selectFrom('audit_events')
    .select('subject_id')
    .where('action', '=', 'job.end')
    .execute()
  expect(new Set(ends.map(({ subject_id }) => subject_id)).size).toBe(ends.length)
}

test('in any order of operations, a job ends once, an effect runs once, and a lost lease writes nothing', {
  timeout: 120_000,
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), live), { numRuns: 40 })
})
