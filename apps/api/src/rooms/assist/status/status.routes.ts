import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { RoomContext } from '../../room.ts'
import { readStatus } from './read-status.ts'
import { assistStatusSchema } from './status.schema.ts'

export const statusRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, adapters },
) => {
  const route = createRoutes(app, { store, tag: 'assist' })

  route.read({
    url: '/assist/status',
    id: 'getAssistStatus',
    summary: 'Status of assistance: each required item, whether it is missing, and who can resolve it',
    permission: 'assist.read',
    response: assistStatusSchema,
    answer: async ({ actor: { tenantId } }) => {
      const at = store.clock().toISOString()
      const { ready: _ready, ...status } = await readStatus({ db: store.reader, tenantId, at, adapters })
      return status
    },
  })
}
