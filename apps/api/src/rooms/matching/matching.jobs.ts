import { z } from 'zod'
import { defineJobKind } from '../jobs/jobs.ts'
import { runMatching } from './run-matching.ts'

/** Compares the whole tenant: after the rules changed, after data came in by another way, or because somebody wants to be sure. */
export const matchRun = defineJobKind({
  kind: 'match-run',
  title: 'Look for duplicates',
  permission: 'matching.run',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 3,
  isCancellable: true,
  touches:
    'Reads the active prospects of the tenant; writes match suggestions, and ends those that no longer hold. Decisions stay.',
  run: (context) => runMatching(context),
})
