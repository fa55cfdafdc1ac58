import { businessRecordSchema } from '@prospect/adapter-contract/business-records'
import { z } from 'zod'
import type { Permission } from '../../lib/declared.ts'

/** What a source may be asked for. Each belongs to one room, which declares it with `definePurpose` and alone asks for it. */
export const purposeNames = [
  'business_records',
  'dns',
  'domain_availability',
  'web_pages',
  'prospect_summary',
  'draft_text',
] as const
export type PurposeName = (typeof purposeNames)[number]

/** A purpose with what its answers must be: records and traces of another shape are the adapter's failure. */
export type Purpose<Answer = unknown, Trace = unknown> = {
  name: PurposeName
  /** asked of the actor before every request */
  permission: Permission
  record: z.ZodType<Answer>
  trace: z.ZodType<Trace>
}

/** Keeps the types of records and traces. */
export function definePurpose<Answer, Trace>(purpose: Purpose<Answer, Trace>): Purpose<Answer, Trace> {
  return purpose
}

/** The one purpose of this room: the answers become source records of the business that was asked about. */
export const businessRecords = definePurpose({
  name: 'business_records',
  permission: 'sources.query',
  record: businessRecordSchema,
  trace: z.unknown(),
})
