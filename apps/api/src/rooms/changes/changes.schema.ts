import { z } from 'zod'
import { actorRefSchema, tokenRefSchema } from '../../http/actor-ref.ts'
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

const FEED_LIMIT_DEFAULT = 100
/** Largest page of the feed. A page of this size takes some milliseconds in the background. */
const FEED_LIMIT_MAX = 1_000
/** Days for which a cursor of the feed is valid, counted from the change that follows it. */
export const FEED_DAYS = 90

export const listChangesQuery = z.strictObject({
  after: z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){4}[0-9a-f]{8}$/, 'Send a cursor of this feed.')
    .optional()
    .describe(
      '`nextCursor` of the last page, or the `cursor` of an item. Without it the page is empty, and its cursor is now.',
    ),
  limit: inDigits(z.int().min(1).max(FEED_LIMIT_MAX).default(FEED_LIMIT_DEFAULT)).describe(
    'The number of changes that the page reads. It contains fewer items if you may not see some of them.',
  ),
})
export type ListChanges = z.output<typeof listChangesQuery>

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

export const feedItemSchema = z
  .object({
    cursor: z.string().describe('Continues after this change.'),
    ...changeItemSchema.shape,
    at: z.string(),
    actor: actorRefSchema,
    token: tokenRefSchema.nullable().describe('The access token with which a program acted for the actor.'),
  })
  .meta({ id: 'FeedItem' })
export type FeedItem = z.infer<typeof feedItemSchema>

export const changePageSchema = z
  .object({
    items: z.array(feedItemSchema).describe('In the order in which the changes were made.'),
    nextCursor: z.string().describe('Store it when the items are processed, and send it as `after`.'),
    hasMore: z.boolean().describe('true: further changes follow now. A page can be empty although more follow.'),
  })
  .meta({ id: 'ChangePage' })
export type ChangePage = z.infer<typeof changePageSchema>
