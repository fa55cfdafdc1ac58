import { z } from 'zod'
import { defineJobKind, runInTurn } from '../jobs/jobs.ts'
import { runPreview } from './previews/run-preview.ts'
import { runScoring } from './runs/run-scoring.ts'

/** Scores a whole workspace by an approved version. Only `POST /scoring/runs` creates this job. */
export const scoreRun = defineJobKind({
  kind: 'score-run',
  title: 'Recalculate scores',
  permission: 'scoring.recalculate',
  input: z.strictObject({ runId: z.string() }),
  timeoutMs: 1_800_000,
  maxAttempts: 3,
  isCancellable: true,
  isOffered: false,
  touches:
    'Reads the active prospects with their evidence and interactions; writes scores beside the active ones, and activates them if the run requests it.',
  run: (context, { runId }) => runInTurn(context, () => runScoring(context, runId)),
})

/** Evaluates a whole workspace by a draft and by the compared version. Only the preview route creates this job. */
export const scorePreview = defineJobKind({
  kind: 'score-preview',
  title: 'Preview a scoring version',
  permission: 'scoring.write',
  input: z.strictObject({ previewId: z.string() }),
  timeoutMs: 1_800_000,
  maxAttempts: 3,
  isCancellable: true,
  isOffered: false,
  touches:
    'Reads the active prospects with their evidence and interactions; writes the counts and largest moves of the preview, and no score.',
  run: (context, { previewId }) => runInTurn(context, () => runPreview(context, previewId)),
})
