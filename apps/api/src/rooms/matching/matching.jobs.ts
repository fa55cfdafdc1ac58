import { z } from 'zod'
import { renormalizeStep } from '../businesses/businesses.ts'
import { createJob, defineJobKind } from '../jobs/jobs.ts'
import { NORMALIZATION_VERSION } from '../normalization/normalization.ts'
import { runMatching } from './run/run-matching.ts'
import { openWriterThread } from './run/writer-thread.ts'

/** Compares the whole tenant: after the rules changed, after data came in by another way, or because somebody wants to be sure. */
export const matchRun = defineJobKind({
  kind: 'match-run',
  title: 'Look through all records for duplicates',
  permission: 'matching.run',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 3,
  isCancellable: true,
  touches:
    'Reads the active prospects of the tenant; writes match suggestions, and ends those that no longer hold. Decisions stay.',
  run: (context) => runMatching(context, { openWriter: (startedAt) => openWriterThread(context, startedAt) }),
})

/**
 * Derives the forms of identifiers anew where older rules derived them, a step at a time, and then has the tenant compared. Asked for by
 * a person after an update that changed normalization (docs/decisions/renormalization.md); a run of `match-run` says how many older forms it met. One that goes
 * on after another such update begins anew: what the version before derived is not taken for done.
 */
export const renormalization = defineJobKind({
  kind: 'renormalization',
  title: 'Bring identifiers into the present form',
  permission: 'matching.run',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 3,
  isCancellable: true,
  touches:
    'Writes the normalized forms of identifiers, derived from what was typed, and keys of suppression; then has duplicates looked for. Nothing typed changes, no block is lifted.',
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
