import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { UserActor } from '../../lib/actor.ts'
import { createJob, getJob, type JobKinds, jobSchema } from '../jobs/jobs.ts'
import { findPeopleOnBoth, peopleOnBothSchema } from '../people/people.ts'
import { matchRun } from './matching.jobs.ts'
import {
  listSuggestionsQuery,
  rejectionSchema,
  startRunSchema,
  suggestionCountsSchema,
  suggestionPageSchema,
  suggestionParams,
  suggestionSchema,
} from './matching.schema.ts'
import { countSuggestions } from './suggestions/count-suggestions.ts'
import { suggestionForReader, summariesForReader } from './suggestions/hide-suggestion-values.ts'
import { listSuggestions } from './suggestions/list-suggestions.ts'
import { getSuggestion, rejectSuggestion } from './suggestions/suggestions.ts'

export const matchingRoutes: RoomRoutes<RoomOptions & { kinds: JobKinds }> = async (app, { store, cursors, kinds }) => {
  const route = createRoutes(app, { store, tag: 'matching' })
  const asker = { db: store.reader, keys: store.keys }
  const shown = async (actor: UserActor, id: string) =>
    suggestionForReader(asker, actor, await getSuggestion(store.reader, actor.tenantId, id))

  route.change({
    url: '/match-runs',
    id: 'startMatchRun',
    summary: 'Start a job that compares all active records of the workspace',
    permission: 'matching.run',
    action: 'matching.start_run',
    body: startRunSchema,
    response: jobSchema,
    status: 202,
    requiresKeySoThat: 'no second run is started',
    // Another user who sends the same idempotency key gets the stored answer too, because the route only queues a job (Phase 4 §3).
    answersAnybody: true,
    work: async (tx, { body }) => {
      const { id: jobId } = await createJob(tx, { kind: matchRun, input: {} })
      await tx.record({ subject: { type: 'job', id: jobId }, reason: body.reason ?? null })
      return { jobId }
    },
    location: ({ jobId }) => `/jobs/${jobId}`,
    answer: ({ jobId }, { actor }) => getJob({ store, kinds }, actor, jobId),
  })

  route.read({
    url: '/match-suggestions',
    id: 'listMatchSuggestions',
    summary: 'List pairs of records that may be one business, most likely first',
    permission: 'matching.read',
    query: listSuggestionsQuery,
    response: suggestionPageSchema,
    answer: async ({ actor, query }) => {
      const page = await listSuggestions(store, cursors, actor, query)
      return { ...page, items: await summariesForReader(asker, actor, page.items) }
    },
  })

  route.read({
    url: '/match-suggestions/counts',
    id: 'countMatchSuggestions',
    summary: 'How many suggestions there are of each status and band',
    permission: 'matching.read',
    response: suggestionCountsSchema,
    answer: ({ actor }) => countSuggestions(store, actor.tenantId),
  })

  route.read({
    url: '/match-suggestions/:suggestionId',
    id: 'getMatchSuggestion',
    summary:
      'Get one pair with both records, the evidence for and against it, conflicts and the fingerprint of the pair',
    permission: 'matching.read',
    params: suggestionParams,
    response: suggestionSchema,
    answer: ({ actor, params }) => shown(actor, params.suggestionId),
  })

  route.read({
    url: '/match-suggestions/:suggestionId/people',
    id: 'listPeopleOnBoth',
    summary: 'List the people of both records who may be one; they have no weight in the score',
    permission: 'people.read',
    params: suggestionParams,
    response: peopleOnBothSchema,
    answer: async ({ actor, params }) => {
      const { businesses } = await getSuggestion(store.reader, actor.tenantId, params.suggestionId)
      const [a, b] = businesses
      if (a === undefined || b === undefined) throw new Error('A suggestion without two records.')
      return findPeopleOnBoth(store.reader, actor, [a.id, b.id])
    },
  })

  route.change({
    url: '/match-suggestions/:suggestionId/rejection',
    id: 'rejectMatchSuggestion',
    summary: 'Reject a pair as two businesses; it is not suggested again until a record changes',
    permission: 'matching.reject',
    action: 'matching.reject',
    params: suggestionParams,
    body: rejectionSchema,
    response: suggestionSchema,
    work: (tx, { params, body }) => rejectSuggestion(tx, params.suggestionId, body.reason),
    answer: ({ id }, { actor }) => shown(actor, id),
  })
}
