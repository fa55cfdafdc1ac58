import { requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../../http/conditional.ts'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { change } from '../../../store/change/change.ts'
import type { RoomContext } from '../../room.ts'
import { websiteScan } from '../scanning.jobs.ts'
import { getScan } from '../scans/read-scans.ts'
import { scanSchema } from '../scans/scans.schema.ts'
import { planScanSchema, requestScanSchema, scanningStatusSchema, scanPlanSchema } from './fetching.schema.ts'
import { runningOf } from './host-turns.ts'
import { planScan, readStatus, requestScan } from './request-scan.ts'

const statuses = { cached: 200, deferred: 201, accepted: 202 } as const

export const fetchingRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, adapters },
) => {
  const tags = ['scanning']

  app.get(
    '/scanning/status',
    {
      schema: {
        operationId: 'getScanningStatus',
        tags,
        summary: 'Whether pages can be fetched; each unmet condition, since when, and who can resolve it',
        response: { 200: scanningStatusSchema },
      },
      config: { permission: 'scanning.read' },
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return readStatus(store, { tenantId, adapters, running: runningOf(tenantId) })
    },
  )

  app.post(
    '/scan-plans',
    {
      schema: {
        operationId: 'planScan',
        tags,
        summary: 'What a fetch would request, its budgets and unmet conditions; nothing is sent or stored',
        body: planScanSchema,
        response: { 200: scanPlanSchema },
      },
      config: { permission: 'scanning.plan' },
    },
    (request) => planScan(store, actorOf(request), adapters, request.body),
  )

  // Three statuses: 200 for a fresh scan, 201 for a deferred scan, 202 for a queued job.
  app.post(
    '/scans',
    {
      schema: {
        operationId: 'requestScan',
        tags,
        summary: 'Fetch pages of a website: 202 and a job, 201 with a deferred scan, or 200 with a fresh one',
        headers: requiredIdempotencyHeaders,
        body: requestScanSchema,
        response: { 200: scanSchema, 201: scanSchema, 202: scanSchema },
      },
      config: { permission: 'scanning.fetch', tells: ['location'] },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const idempotency = requiredIdempotencyOf(request, 'no website is scanned twice')
      const options = { permission: 'scanning.fetch', action: 'scan.request', idempotency } as const
      const { value, replayed } = await change(store, actor, options, (tx) =>
        requestScan(tx, adapters, websiteScan, request.body),
      )
      const scan = await getScan(store, actor, value.id, { isHit: value.answer === 'cached' })
      if (replayed) reply.header('idempotency-replayed', 'true')
      return reply.code(statuses[value.answer]).header('location', `/api/v1/scans/${value.id}`).send(scan)
    },
  )
}
