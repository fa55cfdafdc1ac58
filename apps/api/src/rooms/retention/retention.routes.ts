import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { RoomContext } from '../room.ts'
import { readRetention } from './read-retention.ts'
import { retentionListSchema } from './retention.schema.ts'

type RetentionRoomOptions = RoomOptions & Pick<RoomContext, 'rooms' | 'config'>

export const retentionRoutes: RoomRoutes<RetentionRoomOptions> = async (app, { store, rooms, config }) => {
  const route = createRoutes(app, { store, tag: 'operations' })

  route.read({
    url: '/retention',
    id: 'listRetention',
    summary: 'List what the workspace stores, each with its retention period',
    permission: null,
    response: retentionListSchema,
    answer: ({ actor }) => readRetention(rooms, { store, config, tenantId: actor.tenantId }),
  })
}
