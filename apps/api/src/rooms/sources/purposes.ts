import { businessRecordSchema } from '@prospect/adapter-contract/business-records'
import { z } from 'zod'
import type { Permission } from '../../lib/declared.ts'

/** Purposes for which sources are queried. Each belongs to one room, which declares it with `definePurpose` and is the only room that uses it. */
export const purposeNames = ['business_records', 'dns', 'web_pages', 'prospect_summary', 'draft_text'] as const
export type PurposeName = (typeof purposeNames)[number]

/** Purposes that no room has. Stored contracts of earlier development can name them, and the names are ignored. */
export const retiredPurposeNames = ['domain_availability'] as const

/** A purpose with the schemas of its responses. A record or trace that does not match its schema counts as a failure of the adapter. */
export type Purpose<Answer = unknown, Trace = unknown> = {
  name: PurposeName
  /** the permission that the actor must have; checked before every request */
  permission: Permission
  record: z.ZodType<Answer>
  trace: z.ZodType<Trace>
}

/** Returns the purpose unchanged. The types of its records and traces are inferred from the schemas. */
export function definePurpose<Answer, Trace>(purpose: Purpose<Answer, Trace>): Purpose<Answer, Trace> {
  return purpose
}

/** The purpose of this room: the records of a response are stored as source records of the business that was queried. */
export const businessRecords = definePurpose({
  name: 'business_records',
  permission: 'sources.query',
  record: businessRecordSchema,
  trace: z.unknown(),
})
