import { z } from 'zod'
import { numeral } from '../../lib/numeral.ts'
import { defineJobKind } from '../jobs/jobs.ts'
import { fillAsJob, SAMPLE_BUSINESSES_DEFAULT, SAMPLE_BUSINESSES_MAX } from './fill-with-sample-data.ts'

/** Job that creates sample prospects in an empty tenant, as the person who requested them. */
export const sampleData = defineJobKind({
  kind: 'sample-data',
  title: 'Create sample prospects',
  permission: 'sample_data.create',
  input: z.strictObject({
    businesses: z
      .int()
      .min(1)
      .max(SAMPLE_BUSINESSES_MAX)
      .default(SAMPLE_BUSINESSES_DEFAULT)
      .meta({ title: 'Prospects', description: `Up to ${numeral(SAMPLE_BUSINESSES_MAX)}.` }),
    seed: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .default(1)
      .meta({ title: 'Seed', description: 'The same number creates the same prospects.' }),
  }),
  timeoutMs: 3_600_000,
  maxAttempts: 1,
  isCancellable: true,
  touches:
    'Writes businesses, evidence, notes, moves and an approved scoring rule set into a workspace without prospects, and requests their scores.',
  run: fillAsJob,
})
