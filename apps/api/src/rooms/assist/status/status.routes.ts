import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import type { RoomContext } from '../../room.ts'
import { readStatus } from './read-status.ts'
import { assistStatusSchema } from './status.schema.ts'

export const statusRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, adapters },
) => {
  app.get(
    '/assist/status',
    {
      schema: {
        operationId: 'getAssistStatus',
        tags: ['assist'],
        summary: 'Status of assistance: each required item, whether it is missing, and who can resolve it',
        response: { 200: assistStatusSchema },
      },
      config: { permission: 'assist.read' },
    },
    async (request) => {
      const { tenantId } = actorOf(request)
      const at = store.clock().toISOString()
      const { ready: _ready, ...status } = await readStatus({ db: store.reader, tenantId, at, adapters })
      return status
    },
  )
}
