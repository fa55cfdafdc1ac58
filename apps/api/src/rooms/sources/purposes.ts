import { businessRecordSchema } from '@prospect/adapter-contract/business-records'
import { z } from 'zod'
import type { Permission } from '../../lib/declared.ts'

/** The purposes of queries to a source. Each belongs to one room, which declares it with `definePurpose` and is the only one to use it. */
export const purposeNames = [
  'business_records',
  'dns',
  'domain_availability',
  'web_pages',
  'prospect_summary',
  'draft_text',
] as const
export type PurposeName = (typeof purposeNames)[number]

/** A purpose with the schemas of its responses: records and traces of another form are the adapter's failure. */
export type Purpose<Answer = unknown, Trace = unknown> = {
  name: PurposeName
  /** the permission of the actor, checked before every request */
  permission: Permission
  record: z.ZodType<Answer>
  trace: z.ZodType<Trace>
}

/** Keeps the types of records and traces. */
export function definePurpose<Answer, Trace>(purpose: Purpose<Answer, Trace>): Purpose<Answer, Trace> {
  return purpose
}

/** The one purpose of this room: responses become source records of the business of the query. */
export const businessRecords = definePurpose({
  name: 'business_records',
  permission: 'sources.query',
  record: businessRecordSchema,
  trace: z.unknown(),
})
