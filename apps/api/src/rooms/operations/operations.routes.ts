import type { Room } from '../../http/room.ts'
import { capabilities } from './capabilities.data.ts'
import { capabilitiesSchema, livenessSchema, readinessSchema } from './operations.schema.ts'
import { createReadiness } from './readiness.ts'

export const operationsRoutes: Room = async (app, { store }) => {
  const requireReady = createReadiness(() => store.probe())

  app.get(
    '/health/live',
    {
      config: { open: true },
      schema: {
        operationId: 'getLiveness',
        tags: ['operations'],
        summary: 'Whether the process answers',
        security: [],
        response: { 200: livenessSchema },
      },
    },
    () => ({ status: 'ok' as const }),
  )

  app.get(
    '/health/ready',
    {
      config: { open: true },
      schema: {
        operationId: 'getReadiness',
        tags: ['operations'],
        summary: 'Whether the store can be read and durably written',
        security: [],
        response: { 200: readinessSchema },
      },
    },
    async () => {
      await requireReady()
      return { status: 'ok' as const, checks: { storeRead: 'ok' as const, storeWrite: 'ok' as const } }
    },
  )

  app.get(
    '/capabilities',
    {
      config: { permission: null },
      schema: {
        operationId: 'listCapabilities',
        tags: ['operations'],
        summary: 'What this build does, phase by phase',
        response: { 200: capabilitiesSchema },
      },
    },
    () => ({ items: [...capabilities] }),
  )
}
