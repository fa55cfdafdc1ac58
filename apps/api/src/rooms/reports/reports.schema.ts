import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { freeText } from '../../http/hidden-fields.ts'
import { pageOf } from '../../http/pagination.ts'
import { day, instant, line, recordId } from '../../http/text.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { businessLimits } from '../businesses/businesses.ts'
import { timeZone } from '../identity/identity.ts'
import { jobStatuses } from '../jobs/jobs.ts'
import { provinceCodes } from '../normalization/normalization.ts'

const MAX_NAME_LENGTH = 200

export const reportParams = z.object({ reportId: recordId })

/**
 * Schema of a report's filter. It compares the record at the time of the computation, because the history does not contain these fields; the response
 * states this.
 */
const filterSchema = z.strictObject({
  province: z.enum(provinceCodes).optional(),
  assigneeId: recordId.optional(),
  tag: line(businessLimits.tagLength, z.string().trim()).optional(),
})

export const createReportSchema = z.strictObject({
  name: line(MAX_NAME_LENGTH).optional(),
  from: day.describe('The first day, in the time zone'),
  to: day.describe('The last day, in the time zone; included'),
  timeZone: timeZone.optional().describe('Defaults to the time zone of the workspace'),
  asOf: instant.optional().describe('Uses only what was known at this time; defaults to now'),
  filter: filterSchema.default({}),
})
export type CreateReport = z.output<typeof createReportSchema>

const figureSchema = z
  .object({
    key: z.string(),
    title: z.string(),
    semantics: z
      .enum(['latest_state', 'event_time', 'distinct_business'])
      .describe(
        'latest_state: records as of asOf. event_time: events in the interval. distinct_business: businesses, each once',
      ),
    counts: z.string().describe('The meaning of its numbers'),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    total: z.number().nullable().describe('null where a sum would be meaningless'),
  })
  .meta({ id: 'ReportFigure' })

export const readFigures = jsonColumn(z.array(figureSchema))

const resultSchema = z
  .object({
    figures: z.array(figureSchema),
    businesses: z.int().describe('Active businesses that matched the filter, as of asOf'),
    figuresVersion: z.string(),
    figuresHash: z
      .string()
      .describe(
        'SHA-256 of the stored figures in canonical JSON, with ids in place of names of people: the same question gives the same hash',
      ),
    computedAt: z.string(),
  })
  .meta({ id: 'ReportResult' })
export type ReportResult = z.infer<typeof resultSchema>

const storedFilterSchema = filterSchema.extend({ tag: filterSchema.shape.tag.nullable() })
export const readStoredFilter = jsonColumn(storedFilterSchema)

export const reportSummarySchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    name: freeText(),
    status: z.enum(jobStatuses).describe('Status of its newest attempt'),
    from: z.string(),
    to: z.string(),
    timeZone: z.string(),
    startsAt: z.string(),
    endsAt: z.string().describe('Excluded'),
    asOf: z.string(),
    filter: storedFilterSchema.describe(
      'The requested filter; `tag` is null after an erasure, when no record has the tag any more',
    ),
    filterStandsAsOf: z
      .enum(['computation', 'no_filter'])
      .describe(
        'computation: province, assignee and tag are those of the record when the report was computed, not those of asOf',
      ),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'ReportSummary' })
export type ReportSummary = z.infer<typeof reportSummarySchema>

export const reportSchema = reportSummarySchema
  .extend({ result: resultSchema.nullable().describe('null until it is computed') })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof reportSchema>

export const reportPageSchema = pageOf(reportSummarySchema).meta({ id: 'ReportPage' })
