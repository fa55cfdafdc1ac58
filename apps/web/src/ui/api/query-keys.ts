/**
 * Keys that match several cached answers, to refresh or remove them. The key of one answer comes from the generated client
 * (`getJobQueryKey({ path: { jobId } })`): an object of operation, tags, path and query, of which a partial key matches every one that
 * contains it.
 */
import type * as api from '@prospect/api-client'
import type { ApiTag } from '@prospect/api-client'

type Operation = Extract<keyof typeof api, `${'get' | 'list' | 'count' | 'check' | 'preview'}${string}`>

/** Every answer of one operation, whatever was asked: `answersOf('listJobs')`. */
export const answersOf = (operation: Operation) => [{ _id: operation }] as const

/** Every answer of the operations of one part of the API: `answersAbout('matching')`. */
export const answersAbout = (tag: ApiTag) => [{ tags: [tag] }] as const

/** The key of a list that is read page by page, beside that of its first page alone. */
export const pagedKey = <Key extends object>([key]: readonly [Key]) => [{ ...key, _infinite: true }] as const
