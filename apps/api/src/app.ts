import { expectedHosts } from '@prospect/hosts'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Config } from './config.ts'
import { hiddenFieldsGate } from './hidden-fields-gate.ts'
import { registerCompressible } from './http/compressible.ts'
import { registerExpectedHosts } from './http/expected-hosts.ts'
import { registerHiddenFields } from './http/hidden-fields.ts'
import { registerReferencePage } from './http/lean.ts'
import { registerOpenApi } from './http/openapi.ts'
import { createCursors } from './http/pagination.ts'
import { errorStatuses } from './http/problem.ts'
import { createServer } from './http/server.ts'
import { registerSessionGuard } from './http/session-guard.ts'
import {
  createWrittenBytes,
  registerWrittenBytes,
  WRITTEN_BYTES_AT_ONCE,
  WRITTEN_BYTES_PER_MINUTE,
  type WrittenBytes,
} from './http/written-bytes.ts'
import { type LoadedAdapters, noAdapters } from './load-adapters.ts'
import { roomErrors } from './rooms/facts.ts'
import { actorFinder, reportRefusedCookie, sessionCookieName } from './rooms/identity/identity.ts'
import { rooms as allRooms, jobKindsIn } from './rooms/index.ts'
import type { JobKinds } from './rooms/jobs/jobs.ts'
import type { Room, RoomContext } from './rooms/room.ts'
import { tokenAdmission } from './rooms/tokens/tokens.ts'
import type { Store } from './store/store.ts'

export type AppOptions = {
  store: Store
  config: Config
  logger: FastifyBaseLogger
  /** adapters that `main.ts` loaded from ADAPTERS_FILE; none by default */
  adapters?: LoadedAdapters
  /** rooms of the app; defaults to all rooms of this build */
  rooms?: readonly Room[]
  /** job kinds; defaults to those of the rooms */
  kinds?: JobKinds
  /** bytes that each tenant may send; defaults to `WRITTEN_BYTES_PER_MINUTE` */
  written?: WrittenBytes
  /** called after every response */
  onAnswer?: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined
  /** true in tests: every response is checked against its schema */
  checkAnswers?: boolean
  /** receives every declared route */
  onRoute?: (route: RouteOptions) => void
}

/** Builds the whole API. `main.ts` listens with it and tests inject requests into it. */
export async function buildApp(options: AppOptions) {
  const { store, config, logger, adapters = noAdapters, onAnswer, checkAnswers = false, onRoute } = options
  const { rooms = allRooms } = options
  const { written = writtenBytesOf(store, config) } = options
  const { kinds = jobKindsIn(rooms, config.environment) } = options
  const hosts = expectedHosts(config.publicHosts, (details, sentence) => logger.warn(details, sentence))

  const app = createServer({ config, logger, statuses: errorStatuses(roomErrors), checkAnswers })
  if (onAnswer !== undefined) app.addHook('onResponse', async (request, reply) => onAnswer(request, reply))
  if (onRoute !== undefined) app.addHook('onRoute', onRoute)

  app.addHook('onRequest', (_request, _reply, done) => {
    store.budget.onRequest()
    done()
  })
  registerCompressible(app)
  registerExpectedHosts(app, hosts)
  registerSessionGuard(app, {
    keys: store.keys,
    cookieName: sessionCookieName(config),
    hosts,
    findActor: actorFinder(store, config, logger),
    onRefusedCookie: (token, request) => reportRefusedCookie(store, token, request),
    tokens: tokenAdmission(store, config, logger),
  })

  registerWrittenBytes(app, written)
  registerHiddenFields(app, hiddenFieldsGate(store))

  registerOpenApi(app)
  registerReferencePage(app)

  const context: RoomContext = { store, cursors: createCursors(store.keys), config, adapters, kinds, rooms, written }
  for (const { routes = [] } of rooms)
    for (const register of routes) await app.register(register, { ...context, prefix: '/api/v1' })
  return app
}

/** A bucket that holds at least two of the largest CSV files, so that a person can send one file after another. */
function writtenBytesOf({ clock }: Store, { csvMaxBytes }: Config): WrittenBytes {
  const atOnce = Math.max(WRITTEN_BYTES_AT_ONCE, 2 * csvMaxBytes)
  return createWrittenBytes(clock, { perMinute: WRITTEN_BYTES_PER_MINUTE, atOnce })
}

export type App = Awaited<ReturnType<typeof buildApp>>
