import { z } from 'zod'
import { acceptanceReportSchema, adaptersSchema } from './acceptance-report.ts'

export const livenessSchema = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Liveness', description: 'The process answers. It says nothing of the store.' })

export const readinessSchema = z
  .object({
    status: z.literal('ok'),
    checks: z.object({
      storeRead: z.literal('ok').describe('A query was answered from the database file.'),
      storeWrite: z.literal('ok').describe('A row was written durably.'),
    }),
  })
  .meta({
    id: 'Readiness',
    description: 'The service can read and durably write. It says nothing of backups or of anything outside.',
  })

export const deploymentSchema = z
  .object({
    version: z.string().describe('Of the product.'),
    revision: z.string().nullable().describe('Of the source that the image was built from; null when it was not said.'),
    imageDigest: z.string().nullable().describe('As the operator passed it to the container; null outside of one.'),
    configurationRevision: z.string().describe('Changes with every setting that is no secret.'),
    schemaVersion: z.int().describe('Steps of the schema that the store has taken.'),
    node: z.string(),
    startedAt: z.string(),
    adapters: adaptersSchema,
  })
  .meta({ id: 'Deployment', description: 'What runs here: which source, in which image, with which settings.' })

export const lastAcceptanceSchema = z
  .object({ report: acceptanceReportSchema.nullable().describe('null: none was made here yet') })
  .meta({ id: 'LastAcceptance' })

export const capabilitiesSchema = z
  .object({
    items: z.array(
      z.object({
        phase: z.int(),
        area: z.string(),
        status: z.enum(['operational', 'partial', 'contract_only', 'not_built', 'disabled']),
        reason: z.string(),
      }),
    ),
  })
  .meta({
    id: 'Capabilities',
    description: 'What this build does and does not do, phase by phase of the specification.',
  })
