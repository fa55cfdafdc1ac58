import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'

/** Past this it is no report of ours, and nobody waits for it to be read. */
const MAX_REPORT_BYTES = 1_048_576

/** What is loaded from ADAPTERS_FILE, without settings and secrets. */
export const adaptersSchema = z
  .object({
    file: z.object({ sha256: z.string() }).nullable().describe('null: ADAPTERS_FILE is not set.'),
    items: z.array(z.object({ id: z.string(), version: z.string() })),
  })
  .meta({ id: 'Adapters', description: 'The adapters that are loaded, without their settings and secrets.' })

const checkSchema = z
  .object({
    name: z.string(),
    passed: z.boolean(),
    found: z.string().describe('What was seen, or what was wrong, in one sentence'),
  })
  .meta({ id: 'AcceptanceCheck' })

const gateSchema = z
  .object({
    title: z.string(),
    phase: z.int().nullable().describe('Of the specification; null for what belongs to none'),
    required: z.boolean().describe('Whether `passed` of the report hangs on it'),
    status: z.string().describe('As the running build tells it of the phase; `built` for what belongs to none'),
    passed: z.boolean(),
    results: z.array(checkSchema),
  })
  .meta({ id: 'AcceptanceGate' })

const figures = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** A report as this build writes it: the specification's fields, and what it puts inside of `checks` and `capacity_smoke`. */
export const acceptanceReportSchema = z
  .object({
    report: z.literal('phase17-final-acceptance'),
    version: z.literal(1),
    scope: z.literal('local-repository-acceptance'),
    passed: z.boolean(),
    checks: z.object({
      run: z.object({
        started_at: z.string(),
        ended_at: z.string(),
        commit: z.string().nullable(),
        product_version: z.string(),
        image_digest: z.string().nullable(),
        configuration_revision: z.string(),
        schema_version: z.int(),
        node: z.string(),
      }),
      adapters: adaptersSchema.optional().describe('Absent from reports of before there were adapters'),
      gates: z.record(z.string(), gateSchema),
    }),
    capacity_smoke: z.object({ passed: z.boolean(), machine: figures, loads: z.record(z.string(), figures) }),
    blockers: z.array(z.object({ gate: z.string(), status: z.string(), reason: z.string() })),
    limitations: z.array(z.string()),
  })
  .meta({
    id: 'AcceptanceReport',
    description:
      'The final acceptance report of Phase 17: what was tried of a running service, and what stands in the way.',
  })
export type AcceptanceReport = z.infer<typeof acceptanceReportSchema>
export type AcceptanceGate = z.infer<typeof gateSchema>
export type AcceptanceCheck = z.infer<typeof checkSchema>
export type Figures = z.infer<typeof figures>

/** Where the last report is kept: beside the store, for those who may configure it to read. */
export function acceptanceReportFile(dataDir: string): string {
  return join(dataDir, 'acceptance', 'report.json')
}

/** The last report that was written here; null when there is none. Errors: `unavailable` for a file that is no report. */
export function findAcceptanceReport(dataDir: string): AcceptanceReport | null {
  const file = acceptanceReportFile(dataDir)
  if (!existsSync(file)) return null
  try {
    if (statSync(file).size > MAX_REPORT_BYTES) throw new Error('It is too large.')
    return acceptanceReportSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const message = 'The file of the acceptance report cannot be read as one. Run the acceptance again.'
    throw new AppError('unavailable', message, { reason: 'report_unreadable', cause })
  }
}
