import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { pageOf } from '../../http/pagination.ts'
import { recordId } from '../../http/text.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { auditFilterSchema } from '../audit/audit.ts'
import { conditionsInput, conditionsSchema } from '../prospect-list/prospect-list.ts'
import { exportFormats, exportSources, removalCauses, suppressedPolicies } from './exports.table.ts'

export const exportParams = z.object({ exportId: recordId })

const separators = ['semicolon', 'comma'] as const
const decimals = ['comma', 'point'] as const

const spreadsheetInput = z.strictObject({
  separator: z.enum(separators).describe('Sign between cells: the list separator of the computers that open the file'),
  decimal: z.enum(decimals).describe('Decimal sign of numbers'),
})

const spreadsheetSchema = spreadsheetInput
  .extend({ timeZone: z.string().describe('That of the times, the zone of the workspace at the request') })
  .meta({ id: 'SpreadsheetLayout' })
export type SpreadsheetLayout = z.output<typeof spreadsheetSchema>
export const readSpreadsheet = jsonColumn(spreadsheetSchema)

export const createExportSchema = z
  .strictObject({
    source: z.enum(exportSources),
    format: z
      .enum(exportFormats)
      .describe(
        'csv: RFC 4180 in UTF-8 with a byte order mark, cells guarded against formulas. jsonl: one JSON object per line',
      ),
    suppressed: z
      .enum(suppressedPolicies)
      .default('leave_out')
      .describe(
        'Treatment of do-not-contact prospects. leave_out: omitted and counted. mark: included with a mark, without their contact values',
      ),
    spreadsheet: spreadsheetInput
      .optional()
      .describe(
        'For csv: a layout for spreadsheets, with local times, phones as text, follow-up and last interaction. Without it the file is for programs',
      ),
    filter: conditionsInput.default([]).describe('For prospects: the conditions of their list'),
    reportId: recordId.optional().describe('For a report: its id'),
    auditFilter: auditFilterSchema.optional().describe('For the audit: the conditions of its list'),
  })
  .superRefine(({ source, format, spreadsheet, reportId, filter, suppressed, auditFilter }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (spreadsheet !== undefined && format !== 'csv') refuse('spreadsheet', 'Only a CSV file has a layout.')
    if (source !== 'audit' && auditFilter !== undefined) refuse('auditFilter', 'This is no export of the audit.')
    if (source === 'audit') {
      if (filter.length > 0) refuse('filter', 'Send the conditions of the audit list as auditFilter.')
      if (reportId !== undefined) refuse('reportId', 'This is an export of the audit.')
      if (suppressed !== 'leave_out') refuse('suppressed', 'An export of the audit contains no contact values.')
    } else if (source === 'report') {
      if (reportId === undefined) refuse('reportId', 'Choose a report.')
      if (filter.length > 0) refuse('filter', 'A report was filtered when it was made.')
      if (suppressed !== 'leave_out') refuse('suppressed', 'A report contains no contact values.')
    } else if (reportId !== undefined) refuse('reportId', 'This is an export of prospects.')
  })
export type CreateExport = z.output<typeof createExportSchema>

const fileSchema = z
  .object({
    name: z.string(),
    rows: z.int(),
    leftOut: z.int().describe('Prospects that match the filter but are omitted, because they are do not contact'),
    marked: z.int().describe('Prospects in the file that are marked, without their contact values'),
    bytes: z.int(),
    sha256: z.string(),
    writtenAt: z.string(),
    expiresAt: z.string().describe('When the file is deleted'),
    removedAt: z.string().nullable(),
    removedBecause: z.enum(removalCauses).nullable(),
  })
  .meta({ id: 'ExportFile' })

export const exportStatuses = ['queued', 'running', 'ready', 'failed', 'cancelled', 'expired', 'removed'] as const

export const exportSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    source: z.enum(exportSources),
    report: z.object({ id: z.string(), name: z.string() }).nullable(),
    filter: conditionsSchema.describe('The requested conditions, without those that an erasure emptied'),
    auditFilter: auditFilterSchema.nullable().describe('For the audit: the requested conditions'),
    erasedFields: z.array(z.string()).describe('Fields of the conditions that an erasure emptied'),
    format: z.enum(exportFormats),
    suppressed: z.enum(suppressedPolicies),
    spreadsheet: spreadsheetSchema.nullable().describe('null for a file for programs'),
    status: z.enum(exportStatuses).describe('ready: the file can be downloaded'),
    file: fileSchema.nullable().describe('null until it is written'),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'Export' })
export type Export = z.infer<typeof exportSchema>

export const readAuditFilter = jsonColumn(auditFilterSchema)

export const exportPageSchema = pageOf(exportSchema).meta({ id: 'ExportPage' })
