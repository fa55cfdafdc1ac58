import { z } from 'zod'
import apiPackage from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { LoadedAdapters } from '../../load-adapters.ts'
import { readBackupAges } from '../backup/backup.ts'
import { inspectCompanyKeys } from '../identity/identity.ts'
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
  config: Pick<Config, 'build' | 'companySignIn' | 'backupDir'>
  /** loaded adapters, of which the route shows only id and version */
  adapters: LoadedAdapters
  rooms: readonly Room[]
}

export const healthRoutes: RoomRoutes<HealthOptions> = async (app, { store, config, adapters, rooms }) => {
  const route = createRoutes(app, { store, tag: 'operations' })
  const startedAt = store.clock().toISOString()
  const requireReady = createReadiness(() => store.probe())

  // Accept any query, because monitoring tools can add parameters of their own.
  const whatever = z.looseObject({})

  route.custom({
    method: 'GET',
    url: '/health/live',
    id: 'getLiveness',
    summary: 'Check that the process responds',
    open: true,
    anyHost: true,
    security: [],
    query: whatever,
    response: livenessSchema,
    handle: () => ({ status: 'ok' as const }),
  })

  route.custom({
    method: 'GET',
    url: '/health/ready',
    id: 'getReadiness',
    summary: 'Check that the store can be read and durably written',
    open: true,
    anyHost: true,
    security: [],
    query: whatever,
    response: readinessSchema,
    handle: async () => {
      await requireReady()
      return { status: 'ok' as const, checks: { storeRead: 'ok' as const, storeWrite: 'ok' as const } }
    },
  })

  route.read({
    url: '/health/detail',
    id: 'getDeployment',
    summary: 'Get version, image digest, configuration revision and adapters of the running service',
    permission: 'tenant.configure',
    response: deploymentSchema,
    answer: async () => ({
      ...config.build,
      version: VERSION,
      schemaVersion: store.migrations.length,
      node: process.versions.node,
      startedAt,
      backups: readBackupAges(config.backupDir, store.clock),
      adapters: { file: adapters.file, items: adapters.items.map(({ id, version }) => ({ id, version })) },
      companySignIn:
        config.companySignIn === undefined ? null : await companyState(config.companySignIn, store.clock()),
    }),
  })

  route.read({
    url: '/acceptance-report',
    id: 'getAcceptanceReport',
    summary: 'Get the last acceptance report',
    permission: 'tenant.configure',
    response: lastAcceptanceSchema,
    answer: () => findAcceptanceReport(store.dataDir, { version: VERSION, schemaVersion: store.migrations.length }),
  })

  route.read({
    url: '/capabilities',
    id: 'listCapabilities',
    summary: 'List the capabilities of this build, phase by phase',
    permission: null,
    response: capabilitiesSchema,
    answer: async ({ actor }) => ({
      items: await readCapabilities(rooms, { store, tenantId: actor.tenantId, adapters }),
    }),
  })
}

async function companyState(settings: NonNullable<Config['companySignIn']>, now: Date) {
  return { issuer: settings.issuer, ...(await inspectCompanyKeys(settings, now)) }
}
