/**
 * Cache keys that match several queries, to refresh or remove them together. The key of one query comes from the generated client (`getJobQueryKey({
 * path: { jobId } })`): an object with operation, tags, path and query. A partial key matches every key that contains it.
 */
import type * as api from '@prospect/api-client'
import type { ApiTag } from '@prospect/api-client'

type Operation = Extract<keyof typeof api, `${'get' | 'list' | 'count' | 'check' | 'preview'}${string}`>

/** Matches every cached response of one operation, whatever its parameters: `answersOf('listJobs')`. */
export const answersOf = (operation: Operation) => [{ _id: operation }] as const

/** Matches every cached response of the operations with one tag of the API: `answersAbout('matching')`. */
export const answersAbout = (tag: ApiTag) => [{ tags: [tag] }] as const

/** Cache key of a list that is read page by page. It differs from the key of a query for the first page only. */
export const pagedKey = <Key extends object>([key]: readonly [Key]) => [{ ...key, _infinite: true }] as const
