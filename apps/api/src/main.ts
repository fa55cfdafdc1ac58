import { type Logger, pino } from 'pino'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'

import { giveMemoryBack } from './http/lean.ts'

import { systemClock } from './lib/clock.ts'
import { lineTime, standardOutput } from './lib/log-lines.ts'
import { type LoadedAdapters, loadAdapters } from './load-adapters.ts'
import { bootstrapAdministrator } from './rooms/identity/identity.ts'
import { jobKindsIn, rooms } from './rooms/index.ts'
import { migrations } from './rooms/migrations.ts'
import type { Loop, LoopContext, RunningLoop } from './rooms/room.ts'
import { startUpkeep } from './rooms/run-upkeep.ts'
import { startupErrorText } from './startup-error.ts'

import { followAudit } from './store/change/follow-audit.ts'
import { keyPruning } from './store/change/idempotency-pruning.ts'
import { backgroundStore, openStore, type Store } from './store/store.ts'

/** Time after the start of a shutdown at which open requests are closed. */
const CLOSE_ALL_AFTER_MS = 10_000
/** Time limit of the whole shutdown. It is short enough that the audit is signed and the store closed before the supervisor kills the process. */
const SHUTDOWN_PATIENCE_MS = 15_000
/** Interval at which idle connections are closed during a shutdown. Connections without a request must not delay it. */
const CLOSE_IDLE_EVERY_MS = 50

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const adapters = await loadAdapters(config.adaptersFile)
  const logger = pino({ level: config.logLevel, base: null, timestamp: lineTime }, standardOutput())
  const onUpgrade = (steps: number) => {
    logger.info({ steps }, 'the store is brought to the schema of this version first; a large store takes minutes')
    logger.flush() // blocks everything else, including log writes, until it ends
  }
  const store = openStore({ dataDir: config.dataDir, clock: systemClock, migrations, onUpgrade })
  try {
    await serve(store, config, adapters, logger)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function serve(store: Store, config: Config, adapters: LoadedAdapters, logger: Logger): Promise<void> {
  await tellOfMissingKeys(store, logger)
  if (config.bootstrap !== undefined) {
    const created = await bootstrapAdministrator(store, config.bootstrap)
    const done = created ? 'the first administrator was created' : 'there are users already'
    logger.info(`${done}: remove BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD from the environment`)
  }
  if (adapters.file !== null) {
    const items = adapters.items.map(({ id, version }) => ({ id, version }))
    logger.info({ sha256: adapters.file.sha256, adapters: items }, 'adapters are loaded from ADAPTERS_FILE')
  }
  const kinds = jobKindsIn(rooms, config.environment)
  const metrics = config.metrics === undefined ? undefined : await startMetrics(store, config, config.metrics, logger)
  const app = await buildApp({ store, config, adapters, logger, kinds, onAnswer: metrics?.observe })
  const context = { store: backgroundStore(store), config, adapters, log: logger, kinds, rooms }
  for (const room of rooms) await room.atStart?.(context)
  const loops = await startLoops(context, ({ whenListening = false }) => !whenListening)
  const followers = rooms.flatMap((room) => room.followers?.(context) ?? [])
  const following = followAudit(context.store, followers, logger)
  const upkeep = startUpkeep(context, [keyPruning, ...rooms.flatMap(({ upkeep: tasks = [] }) => tasks)])
  let besideServer: RunningLoop[] = []

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), SHUTDOWN_PATIENCE_MS).unref()
    const closeIdle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
    const closeAll = setTimeout(() => app.server.closeAllConnections(), CLOSE_ALL_AFTER_MS)
    await Promise.all([app.close(), ...besideServer.map((loop) => loop.stop())])
    clearInterval(closeIdle)
    clearTimeout(closeAll)
    await upkeep.stop()
    await following.stop()
    // Stop the rooms in reverse order. The audit then signs its last events after all other rooms have stopped writing.
    for (const loop of loops.toReversed()) await loop.stop()
    await store.close()
    logger.info('stopped')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  await app.ready()
  giveMemoryBack()
  await app.listen({ host: config.host, port: config.port })
  if (!stopping) besideServer = await startLoops(context, ({ whenListening = false }) => whenListening)
}

async function startLoops(context: LoopContext, isWanted: (loop: Loop) => boolean): Promise<RunningLoop[]> {
  const running: RunningLoop[] = []
  for (const { loops = [] } of rooms) for (const loop of loops.filter(isWanted)) running.push(await loop.start(context))
  return running
}

/** Logs if keys of a store are missing. A store without events is not reported, because a new store has no keys yet. */
async function tellOfMissingKeys({ keys, reader }: Store, logger: Logger): Promise<void> {
  if (keys.missing.length === 0) return
  const event = await reader.selectFrom('audit_events').select('sequence').limit(1).executeTakeFirst()
  if (event === undefined) return
  logger.warn(
    { files: keys.missing },
    'these files of keys/ were missing and have been created. If you have a copy of the originals, stop the service and restore it before anybody works: the runbook lists what becomes invalid without it. Copy the new files to where you keep secrets',
  )
}

/** Starts the metrics. They are imported on demand, because most services run without them and save 20 MB. */
async function startMetrics(store: Store, config: Config, at: NonNullable<Config['metrics']>, logger: Logger) {
  const { createMetrics, serveMetrics } = await import('./rooms/health/health.ts')
  const metrics = createMetrics(store, config)
  const server = await serveMetrics(metrics, at)
  server.unref()
  logger.info(at, 'metrics are served here')
  return metrics
}

main().catch((error: unknown) => {
  process.stderr.write(`${startupErrorText(error)}\n`)
  process.exit(1)
})
