import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { RoomContext } from '../room.ts'
import { limitsSchema } from './limits.schema.ts'
import { readLimits } from './read-limits.ts'

type LimitRoomOptions = RoomOptions & Pick<RoomContext, 'rooms' | 'written'>

export const limitRoutes: RoomRoutes<LimitRoomOptions> = async (app, { store, rooms, written }) => {
  const route = createRoutes(app, { store, tag: 'operations' })

  route.read({
    url: '/limits',
    id: 'listLimits',
    summary: 'List the limits of the workspace and of the person, with their use',
    permission: null,
    response: limitsSchema,
    answer: ({ actor }) => readLimits(rooms, { store, written }, actor),
  })
}
