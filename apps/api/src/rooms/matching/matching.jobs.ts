import { z } from 'zod'
import { renormalizeStep } from '../businesses/businesses.ts'
import { createJob, defineJobKind, runInTurn } from '../jobs/jobs.ts'
import { NORMALIZATION_VERSION } from '../normalization/normalization.ts'
import { runMatching } from './run/run-matching.ts'
import { openWriterThread } from './run/writer-thread.ts'

/** Compares all records of a tenant. It runs after a change of the rules, after an import, or on request. */
export const matchRun = defineJobKind({
  kind: 'match-run',
  title: 'Search all records for duplicates',
  permission: 'matching.run',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 3,
  isCancellable: true,
  touches:
    'Reads the active prospects of the workspace; writes match suggestions and ends those that are no longer valid. Decisions do not change.',
  run: (context) =>
    runInTurn(context, () => runMatching(context, { openWriter: (startedAt) => openWriterThread(context, startedAt) })),
})

/**
 * Normalizes identifiers again that an older version of the rules normalized, in steps, and then starts a comparison of the tenant. A person starts
 * this job after an update that changed normalization (docs/decisions/renormalization.md); each `match-run` reports the number of outdated forms. A
 * job that resumes after another such update restarts from the beginning, because the previous version derived the forms it has already written.
 */
export const renormalization = defineJobKind({
  kind: 'renormalization',
  title: 'Normalize identifiers again',
  permission: 'matching.run',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 3,
  isCancellable: true,
  touches:
    'Writes the normalized forms of identifiers, derived from the typed values, and suppression keys; then starts a search for duplicates. No typed value changes and no block is lifted.',
  run: async ({ effect, progress, checkpoint, resume: left, signal }) => {
    const resume = left?.normalizationVersion === NORMALIZATION_VERSION ? left : null
    const stepOf = (name: string) => `${NORMALIZATION_VERSION} ${name}`
    const number = (name: string) => (typeof resume?.[name] === 'number' ? resume[name] : 0)
    const total = { read: number('read'), businesses: number('businesses'), identifiers: number('identifiers') }
    let from: string | null = typeof resume?.after === 'string' ? resume.after : ''
    while (from !== null) {
      signal.throwIfAborted()
      const behind: string = from
      const step = await effect(stepOf(`records behind ${behind}`), { action: 'matching.renormalize' }, (tx) =>
        renormalizeStep(tx, behind),
      )
      total.read += step.read
      total.businesses += step.businesses
      total.identifiers += step.identifiers
      from = step.after
      progress({ done: total.read, total: null, unit: 'records' })
      if (from !== null) await checkpoint({ normalizationVersion: NORMALIZATION_VERSION, ...total, after: from })
    }
    const matchRunId =
      total.businesses === 0
        ? null
        : await effect(stepOf('match run'), { action: 'matching.start_run' }, async (tx) => {
            const { id } = await createJob(tx, { kind: matchRun, input: {} })
            return id
          })
    return { ...total, normalizationVersion: NORMALIZATION_VERSION, matchRunId }
  },
})
