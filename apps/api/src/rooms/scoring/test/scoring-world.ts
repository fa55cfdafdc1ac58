import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { untilJob, work } from '../../../../test/job-world.ts'
import { newId } from '../../../lib/ids.ts'
import type { JobKinds } from '../../jobs/jobs.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import type { Preview } from '../previews/previews.schema.ts'
import type { RuleSet, Version } from '../rule-sets/rule-sets.schema.ts'
import type { Content } from '../rules/content.ts'
import type { ActiveScoring, Run } from '../runs/runs.schema.ts'
import { scorePreview, scoreRun } from '../scoring.jobs.ts'

const scoringKinds: JobKinds = jobKindsOf([scoreRun, scorePreview])

type Hook = (signal: AbortSignal) => Promise<unknown>

/** Returns the scoring job kinds with a hook between a run's last write and its end. */
function kindsWith(beforeEnd: Hook): JobKinds {
  const run: typeof scoreRun.run = (context, input) => {
    const effect: typeof context.effect = async (step, options, work) => {
      if (step === 'end') await beforeEnd(context.signal)
      return context.effect(step, options, work)
    }
    return scoreRun.run({ ...context, effect }, input)
  }
  return jobKindsOf([{ ...scoreRun, run }, scorePreview])
}

/** Content with two rules: a phone scores 60 points and a tag 20; won records are ineligible. */
export const simpleContent: Content = {
  groups: [
    {
      id: 'fit',
      name: 'Fit',
      min: 0,
      max: 100,
      rules: [
        { id: 'phone', signal: 'record.phones', op: 'at_least', value: 1, points: 60 },
        { id: 'mine', signal: 'record.tags', op: 'has_any', value: ['Mining'], points: 20 },
      ],
    },
  ],
  gates: [{ id: 'open', signal: 'record.state', op: 'none_of', value: ['won', 'lost'], kind: 'requires' }],
  bands: [
    { id: 'A', name: 'A', from: 60 },
    { id: 'B', name: 'B', from: 20 },
    { id: 'C', name: 'C', from: 0 },
  ],
  straddling: 'lowest',
  rounding: 'half_up',
  tieBreak: 'newest_record',
  suppression: 'first',
}

export type ScoringWorld = Awaited<ReturnType<typeof scoringWorld>>

/** An app with a worker of scoring jobs, and the common steps of the tests. */
export async function scoringWorld({
  beforeEnd,
}: {
  beforeEnd?: (t: TestApp, signal: AbortSignal) => Promise<unknown>
} = {}) {
  const t = await buildTestApp({ kinds: scoringKinds })
  const kinds = beforeEnd === undefined ? scoringKinds : kindsWith((signal) => beforeEnd(t, signal))
  work({ store: t.store, kinds })
  return { t, ...scoringSteps(t) }
}

/** Steps of the home tenant, or of the tenant whose clients `as` returns. */
export function scoringSteps(t: Pick<TestApp, 'as' | 'store'>) {
  const manager = () => t.as('manager')
  const administrator = () => t.as('administrator')
  const pathOf = ({ ruleSetId, version }: Pick<Version, 'ruleSetId' | 'version'>) =>
    `/scoring/rule-sets/${ruleSetId}/versions/${version}`

  async function ended(jobId: string): Promise<void> {
    await untilJob(t.store, jobId, ({ ended_at }) => ended_at !== null)
  }

  /** Creates a draft as the manager, with the given content and a rollback plan. */
  async function draft(content: Content = simpleContent, ruleSetId?: string): Promise<Version> {
    const client = await manager()
    const id = ruleSetId ?? ok<RuleSet>(await client.post('/scoring/rule-sets', { name: 'Fit' })).id
    const { version } =
      ruleSetId === undefined ? { version: 1 } : ok<Version>(await client.post(`/scoring/rule-sets/${id}/versions`, {}))
    const path = pathOf({ ruleSetId: id, version })
    return ok<Version>(
      await client.patch(path, { content, rollbackPlan: 'Activate the run before.' }, { 'if-match': '"1"' }),
    )
  }

  async function previewed(version: Version): Promise<Preview> {
    const client = await manager()
    const { id, jobId } = ok<Preview>(
      await client.post(`${pathOf(version)}/previews`, {}, { 'idempotency-key': newId() }),
    )
    await ended(jobId)
    return ok<Preview>(await client.get(`/scoring/previews/${id}`))
  }

  async function submitted(content?: Content, ruleSetId?: string): Promise<Version> {
    const version = await draft(content, ruleSetId)
    await previewed(version)
    return ok<Version>(await (await manager()).post(`${pathOf(version)}/submission`))
  }

  async function approved(content?: Content, ruleSetId?: string): Promise<Version> {
    const version = await submitted(content, ruleSetId)
    const { contentHash, previewId } = version
    return ok<Version>(
      await (await administrator()).post(`${pathOf(version)}/approval`, { contentHash, previewId, reason: 'Agreed.' }),
    )
  }

  async function ran(version: Version, activate: 'by_hand' | 'when_complete' = 'by_hand'): Promise<Run> {
    const client = await manager()
    const body = { ruleSetId: version.ruleSetId, version: version.version, reason: 'Monthly', activate }
    const { id, jobId } = ok<Run>(await client.post('/scoring/runs', body, { 'idempotency-key': newId() }))
    await ended(jobId)
    return ok<Run>(await client.get(`/scoring/runs/${id}`))
  }

  async function active(): Promise<ActiveScoring['active']> {
    return ok<ActiveScoring>(await (await manager()).get('/scoring/active')).active
  }

  async function activated(run: Run, acceptPartial = false): Promise<Run> {
    const expectedActiveRunId = (await active())?.runId ?? null
    return ok<Run>(
      await (await manager()).post(`/scoring/runs/${run.id}/activation`, {
        expectedActiveRunId,
        reason: 'Better',
        acceptPartial,
      }),
    )
  }

  return { pathOf, ended, draft, previewed, submitted, approved, ran, active, activated }
}

/** Returns the body of a preparation request. Throws if the request failed, because the test would then prove something else. */
export function ok<T>({ status, body }: { status: number; body: unknown }): T {
  if (status < 200 || status > 299) throw new Error(`A preparation got ${status}: ${JSON.stringify(body)}`)
  return body as T
}
