import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'

/** Maximum size of a report file. A larger file is not a report and would take long to read. */
const MAX_REPORT_BYTES = 1_048_576

/** Schema of the adapters loaded from ADAPTERS_FILE, without settings and secrets. */
export const adaptersSchema = z
  .object({
    file: z.object({ sha256: z.string() }).nullable().describe('null: ADAPTERS_FILE is not set.'),
    items: z.array(z.object({ id: z.string(), version: z.string() })),
  })
  .meta({ id: 'Adapters', description: 'The loaded adapters, without their settings and secrets.' })

const checkSchema = z
  .object({
    name: z.string(),
    passed: z.boolean(),
    found: z.string().describe('The observation, or the fault, in one sentence'),
  })
  .meta({ id: 'AcceptanceCheck' })

const gateSchema = z
  .object({
    title: z.string(),
    phase: z.int().nullable().describe('Phase of the specification; null for a check without a phase'),
    status: z
      .string()
      .describe('Status that the running build reports for the phase; `built` for a check without a phase'),
    passed: z.boolean(),
    results: z.array(checkSchema),
  })
  .meta({ id: 'AcceptanceGate' })

const checklistSchema = z
  .object({
    item: z.string(),
    status: z.enum(['shown', 'not_shown', 'not_applicable']),
    how: z.string(),
  })
  .meta({ id: 'AcceptanceChecklistItem', description: 'One item of the deployment checklist of Phase 15 §7.' })

const figures = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** Schema of a report of this build: the fields of the specification, and the structure of `checks` and `capacity_smoke`. */
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
        adapters: adaptersSchema,
      }),
      checklist: z.array(checklistSchema).describe('The deployment checklist, in its order.'),
      gates: z.record(z.string(), gateSchema),
    }),
    capacity_smoke: z.object({ passed: z.boolean(), machine: figures, loads: z.record(z.string(), figures) }),
    blockers: z.array(z.object({ gate: z.string(), status: z.string(), reason: z.string() })),
    limitations: z.array(z.string()),
  })
  .meta({
    id: 'AcceptanceReport',
    description: 'The final acceptance report of Phase 17: the checks of a running service, and the blockers.',
  })
export type AcceptanceReport = z.infer<typeof acceptanceReportSchema>
export type AcceptanceGate = z.infer<typeof gateSchema>
export type AcceptanceCheck = z.infer<typeof checkSchema>
export type ChecklistItem = z.infer<typeof checklistSchema>
export type Figures = z.infer<typeof figures>

/** Returns the path of the last report. The file is in the data folder; reading it through the API needs the permission for the configuration. */
export function acceptanceReportFile(dataDir: string): string {
  return join(dataDir, 'acceptance', 'report.json')
}

/** Schema of the fields that reports of all versions have. */
const anyReportSchema = z.looseObject({
  report: z.literal('phase17-final-acceptance'),
  checks: z.looseObject({
    run: z.looseObject({
      ended_at: z.string().nullable().default(null),
      product_version: z.string().nullable().default(null),
    }),
  }),
})

/**
 * The last report. `report` is set if this version made it, otherwise `olderReport`. A report of an older version never counts as passed for this
 * version.
 */
type LastReport = {
  report: AcceptanceReport | null
  olderReport: { endedAt: string | null; productVersion: string | null } | null
}

/** Returns the last report that was written to this data folder; both parts are null if there is none. Errors: `unavailable` (an invalid file). */
export function findAcceptanceReport(
  dataDir: string,
  thisVersion: { version: string; schemaVersion: number },
): LastReport {
  const file = acceptanceReportFile(dataDir)
  if (!existsSync(file)) return { report: null, olderReport: null }
  try {
    if (statSync(file).size > MAX_REPORT_BYTES) throw new Error('It is too large.')
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const { data: report } = acceptanceReportSchema.safeParse(content)
    const { product_version, schema_version } = report?.checks.run ?? {}
    if (report && product_version === thisVersion.version && schema_version === thisVersion.schemaVersion)
      return { report, olderReport: null }
    const { run } = anyReportSchema.parse(content).checks
    return { report: null, olderReport: { endedAt: run.ended_at, productVersion: run.product_version } }
  } catch (cause) {
    const message = 'The file of the acceptance report is not a valid report. Run the acceptance again.'
    throw new AppError('unavailable', message, { reason: 'report_unreadable', cause })
  }
}
