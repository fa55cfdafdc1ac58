import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { AppError } from '../../lib/app-error.ts'
import { sessionWatcher } from '../identity/identity.ts'
import type { JobKinds } from '../jobs/jobs.ts'
import { readBackgroundWork } from './background-work.ts'
import { createChangeStreams } from './change-streams.ts'
import {
  backgroundWorkSchema,
  changeCursor,
  changePageSchema,
  FEED_DAYS,
  listChangesQuery,
  streamChangesQuery,
} from './changes.schema.ts'
import { listChanges } from './list-changes.ts'

type ChangeRoomOptions = RoomOptions & { kinds: JobKinds; config: Pick<Config, 'environment'> }

export const changeRoutes: RoomRoutes<ChangeRoomOptions> = async (app, { store, kinds, config }) => {
  const route = createRoutes(app, { store, tag: 'changes' })
  const streams = createChangeStreams({ store, kinds, findActor: sessionWatcher(store, config) })
  app.addHook('preClose', async () => streams.endAll())

  route.read({
    url: '/background-work',
    id: 'listBackgroundWork',
    summary: 'List what is derived from changes and does not include the newest ones yet',
    description:
      'Duplicate suggestions, domain candidates, scores and the like follow each change within seconds. One that is more than 300 changes or 90 seconds behind is listed.',
    permission: null,
    response: backgroundWorkSchema,
    answer: ({ actor }) => readBackgroundWork(store, actor.tenantId),
  })

  route.read({
    url: '/changes',
    id: 'listChanges',
    summary: 'List what changed in the workspace after a cursor, oldest first; ids, kinds, versions and authors only',
    description: `A feed to pull, for programs. Without \`after\` it returns the cursor of now. Read the lists that you copy, then request the changes after that cursor, and read what changed by its id. While \`hasMore\` is true, request the next page at once. A cursor is valid for ${FEED_DAYS} days. 409 \`cursor_expired\` (older, or of another history) and \`cursor_ahead\` (after a restore) mean: start over without \`after\`. Each change is listed as often as it was made; the version is that of the record now.`,
    permission: null,
    query: listChangesQuery,
    response: changePageSchema,
    answer: ({ actor, query }) => listChanges({ store, kinds }, actor, query),
  })

  route.custom({
    method: 'GET',
    url: '/changes/stream',
    id: 'streamChanges',
    summary: 'Stream what changes in the workspace, as Server-Sent Events; ids, kinds and versions only',
    description:
      'Events: `start`, then `changes` with `{ items: ChangeItem[] }`, `heartbeat` in quiet times, and `reset` with `{ reason, newestSequence }` when the cursor is too old (`cursor_too_old`) or, after a restore, beyond the newest event (`cursor_ahead`): then read again what you show. The id of an event is the cursor. The stream ends with the session.',
    permission: null,
    onlySession: true,
    produces: ['text/event-stream'],
    headers: z.object({
      'last-event-id': z.string().optional().describe('The id of the last event that was received'),
    }),
    query: streamChangesQuery,
    response: z.string(),
    handle: async (request, reply) => {
      const { after, follow = true } = request.query
      const seen = request.headers['last-event-id']
      const cursor = changeCursor.optional().safeParse(seen ?? after)
      if (!cursor.success) throw new AppError('invalid_request', 'Last-Event-ID must be the id of an event.')
      await streams.open(request, reply, { after: cursor.data, isFollowed: follow })
      return reply
    },
  })
}
