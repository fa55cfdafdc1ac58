import { type AuditEvent, getMerge, listActivity, type Merge } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'
import { mergesIn } from './fact-history.ts'

const EVENTS_PER_PAGE = 200
/** Bounds of one history: pages of the activity, and merges. Older events are in the activity only. */
const MAX_PAGES = 5
const MAX_MERGES = 10

export type FactEvents = { events: AuditEvent[]; merges: Merge[]; isComplete: boolean }

/** Activity of the record in which its facts changed, and the merges into it. `seesMerges`: false for a person who cannot read merges. */
export const factEventsQuery = (businessId: string, seesMerges: boolean) =>
  queryOptions({
    queryKey: [{ ...answersOf('listActivity')[0], path: { businessId }, ofFacts: true, seesMerges }] as const,
    queryFn: async ({ signal }): Promise<FactEvents> => {
      const events: AuditEvent[] = []
      let cursor: string | null | undefined
      for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
        const query = { limit: EVENTS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
        const read = await dataOf(listActivity({ path: { businessId }, query, signal }))
        events.push(...read.items.filter(({ subject }) => subject.type === 'business'))
        cursor = read.page.nextCursor
      }
      const ids = seesMerges ? mergesIn(events).slice(0, MAX_MERGES) : []
      const merges = await Promise.all(ids.map((mergeId) => dataOf(getMerge({ path: { mergeId }, signal }))))
      return { events, merges, isComplete: cursor === null }
    },
  })
