import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import type { RoomContext } from '../room.ts'
import { limitsSchema } from './limits.schema.ts'
import { readLimits } from './read-limits.ts'

type LimitRoomOptions = RoomOptions & Pick<RoomContext, 'rooms' | 'written'>

export const limitRoutes: RoomRoutes<LimitRoomOptions> = async (app, { store, rooms, written }) => {
  app.get(
    '/limits',
    {
      schema: {
        operationId: 'listLimits',
        tags: ['operations'],
        summary: 'List the limits of the workspace and of the person, with their use',
        response: { 200: limitsSchema },
      },
      config: { permission: null },
    },
    (request) => readLimits(rooms, { store, written }, actorOf(request)),
  )
}
