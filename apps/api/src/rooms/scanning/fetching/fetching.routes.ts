import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { RoomContext } from '../../room.ts'
import { websiteScan } from '../scanning.jobs.ts'
import { getHit, getScan } from '../scans/read-scans.ts'
import { scanSchema } from '../scans/scans.schema.ts'
import { planScanSchema, requestScanSchema, scanningStatusSchema, scanPlanSchema } from './fetching.schema.ts'
import { runningOf } from './host-turns.ts'
import { planScan, readStatus, requestScan } from './request-scan.ts'

const statuses = { cached: 200, deferred: 201, accepted: 202 } as const

export const fetchingRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, adapters },
) => {
  const route = createRoutes(app, { store, tag: 'scanning' })

  route.read({
    url: '/scanning/status',
    id: 'getScanningStatus',
    summary: 'Whether pages can be fetched; each unmet condition, since when, and who can resolve it',
    permission: 'scanning.read',
    response: scanningStatusSchema,
    answer: ({ actor: { tenantId } }) => readStatus(store, { tenantId, adapters, running: runningOf(tenantId) }),
  })

  route.read({
    url: '/scan-plans',
    id: 'planScan',
    summary: 'What a fetch would request, its budgets and unmet conditions; nothing is sent or stored',
    permission: 'scanning.plan',
    body: planScanSchema,
    response: scanPlanSchema,
    answer: ({ actor, body }) => planScan(store, actor, adapters, body),
  })

  route.change({
    url: '/scans',
    id: 'requestScan',
    summary: 'Fetch pages of a website: 202 and a job, 201 with a deferred scan, or 200 with a fresh one',
    permission: 'scanning.fetch',
    action: 'scan.request',
    body: requestScanSchema,
    response: { 200: scanSchema, 201: scanSchema, 202: scanSchema },
    requiresKeySoThat: 'no website is scanned twice',
    work: (tx, { body }) => requestScan(tx, adapters, websiteScan, body),
    status: ({ answer }) => statuses[answer],
    location: ({ id }) => `/scans/${id}`,
    answer: (requested, { actor }) =>
      requested.answer === 'cached' ? getHit(store, actor, requested) : getScan(store, actor, requested.id),
  })
}
