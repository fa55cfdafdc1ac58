import { z } from 'zod'
import { declaredList } from '../../http/pagination.ts'
import { flag } from '../../http/text.ts'
import { inDigits } from '../../lib/digits.ts'

const sequence = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export const changeCursor = inDigits(sequence)

export const streamChangesQuery = z.strictObject({
  after: changeCursor
    .optional()
    .describe('The id of the last event that was received; a Last-Event-ID header takes precedence. Defaults to now.'),
  follow: flag.optional().describe('false: the stream ends after the changes up to now. true by default.'),
})

export const backgroundWorkSchema = z
  .object({
    items: declaredList(
      z.object({
        name: z.string().describe('What is behind: `matching`, `domains`, `scoring`, `review`, `drafts`, …'),
        changes: z.int().describe('Changes of the workspace that it has not read'),
        since: z.string().describe('Time of the first of them'),
      }),
    ),
  })
  .meta({ id: 'BackgroundWork' })
export type BackgroundWork = z.infer<typeof backgroundWorkSchema>

export const changeItemSchema = z
  .object({
    kind: z.string().describe('The type of what changed, as in audit events: `business`, `note`, `job`, …'),
    id: z.string(),
    businessId: z.string().nullable().describe('The prospect that it belongs to'),
    version: z
      .int()
      .nullable()
      .describe('The version of the prospect; for a job the sequence of its last event; otherwise null'),
  })
  .meta({ id: 'ChangeItem' })
export type ChangeItem = z.infer<typeof changeItemSchema>
