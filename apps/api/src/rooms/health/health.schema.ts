import { z } from 'zod'
import { declaredList } from '../../http/pagination.ts'
import { backupWarnings } from '../backup/backup.ts'
import { acceptanceReportSchema, adaptersSchema } from './acceptance-report.ts'

export const livenessSchema = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Liveness', description: 'The process responds. This does not check the store.' })

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
    description: 'The service can read and durably write. This does not check backups or anything outside.',
  })

export const deploymentSchema = z
  .object({
    version: z.string().describe('Version of the product.'),
    revision: z.string().nullable().describe('Source revision that the image was built from; null when unknown.'),
    imageDigest: z
      .string()
      .nullable()
      .describe('Digest that the operator passed to the container; null outside of one.'),
    configurationRevision: z.string().describe('Changes with every setting except secrets.'),
    schemaVersion: z.int().describe('Number of schema steps that the store has taken.'),
    node: z.string(),
    startedAt: z.string(),
    adapters: adaptersSchema,
    companySignIn: z
      .object({
        issuer: z.string(),
        keys: z.int().nullable(),
        ageDays: z.int().nullable().describe('Age of the key file.'),
        problem: z.string().nullable().describe('Why the key file cannot be used, or that it is too old.'),
      })
      .nullable()
      .describe('null: company sign-in is off.'),
    backups: z
      .object({
        newest: z.object({ id: z.string(), takenAt: z.string() }).nullable().describe('The newest backup on the host.'),
        offHost: z
          .object({ backup: z.string(), takenAt: z.string(), copiedAt: z.string(), by: z.string() })
          .nullable()
          .describe('The newest backup with a recorded copy off the host; `by` names what copied it.'),
        warnings: z
          .array(z.enum(backupWarnings))
          .describe('`only_on_host`: no copy off the host is recorded. Late: taken more than 26 hours ago.'),
      })
      .describe('Backups as their files and records state them; no file of a backup is checked.'),
  })
  .meta({ id: 'Deployment', description: 'The running service: source revision, image and settings.' })

export const lastAcceptanceSchema = z
  .object({
    report: acceptanceReportSchema
      .nullable()
      .describe('null: no report was written here yet, or only one by an older version'),
    olderReport: z
      .object({ endedAt: z.string().nullable(), productVersion: z.string().nullable() })
      .nullable()
      .describe('The last report, if another version of the product made it. It says nothing about this version.'),
  })
  .meta({ id: 'LastAcceptance' })

export const capabilitiesSchema = z
  .object({
    items: declaredList(
      z.object({
        phase: z.int(),
        area: z.string(),
        status: z.enum(['operational', 'partial', 'contract_only', 'not_built', 'disabled']),
        reason: z.string(),
        pilot: z
          .string()
          .nullable()
          .describe('Operational as a pilot or for preparation only: what that means here, and what goes beyond it'),
      }),
    ),
  })
  .meta({
    id: 'Capabilities',
    description: 'The capabilities of this build, phase by phase of the specification.',
  })
