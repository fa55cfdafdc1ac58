import { z } from 'zod'
import apiPackage from '../../../package.json' with { type: 'json' }
import type { Build } from '../../config.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import type { LoadedAdapters } from '../../load-adapters.ts'
import type { Room } from '../room.ts'
import { findAcceptanceReport } from './acceptance-report.ts'
import {
  capabilitiesSchema,
  deploymentSchema,
  lastAcceptanceSchema,
  livenessSchema,
  readinessSchema,
} from './health.schema.ts'
import { readCapabilities } from './read-capabilities.ts'
import { createReadiness } from './readiness.ts'

const { version: VERSION } = apiPackage

type HealthOptions = RoomOptions & {
  config: { build: Build }
  /** loaded adapters, of which the route shows only id and version */
  adapters: LoadedAdapters
  rooms: readonly Room[]
}

export const healthRoutes: RoomRoutes<HealthOptions> = async (app, { store, config, adapters, rooms }) => {
  const startedAt = store.clock().toISOString()
  const requireReady = createReadiness(() => store.probe())

  // Accept any query, because monitoring tools can add parameters of their own.
  const whatever = z.looseObject({})
  app.get(
    '/health/live',
    {
      config: { open: true, anyHost: true },
      schema: {
        operationId: 'getLiveness',
        tags: ['operations'],
        summary: 'Check that the process responds',
        security: [],
        querystring: whatever,
        response: { 200: livenessSchema },
      },
    },
    () => ({ status: 'ok' as const }),
  )

  app.get(
    '/health/ready',
    {
      config: { open: true, anyHost: true },
      schema: {
        operationId: 'getReadiness',
        tags: ['operations'],
        summary: 'Check that the store can be read and durably written',
        security: [],
        querystring: whatever,
        response: { 200: readinessSchema },
      },
    },
    async () => {
      await requireReady()
      return { status: 'ok' as const, checks: { storeRead: 'ok' as const, storeWrite: 'ok' as const } }
    },
  )

  app.get(
    '/health/detail',
    {
      config: { permission: 'tenant.configure' },
      schema: {
        operationId: 'getDeployment',
        tags: ['operations'],
        summary: 'Get version, image digest, configuration revision and adapters of the running service',
        response: { 200: deploymentSchema },
      },
    },
    () => ({
      ...config.build,
      version: VERSION,
      schemaVersion: store.migrations.length,
      node: process.versions.node,
      startedAt,
      adapters: { file: adapters.file, items: adapters.items.map(({ id, version }) => ({ id, version })) },
    }),
  )

  app.get(
    '/acceptance-report',
    {
      config: { permission: 'tenant.configure' },
      schema: {
        operationId: 'getAcceptanceReport',
        tags: ['operations'],
        summary: 'Get the last acceptance report',
        response: { 200: lastAcceptanceSchema },
      },
    },
    () => findAcceptanceReport(store.dataDir, { version: VERSION, schemaVersion: store.migrations.length }),
  )

  app.get(
    '/capabilities',
    {
      config: { permission: null },
      schema: {
        operationId: 'listCapabilities',
        tags: ['operations'],
        summary: 'List the capabilities of this build, phase by phase',
        response: { 200: capabilitiesSchema },
      },
    },
    async (request) => ({
      items: await readCapabilities(rooms, { store, tenantId: actorOf(request).tenantId, adapters }),
    }),
  )
}
