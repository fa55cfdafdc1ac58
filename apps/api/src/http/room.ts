import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Store } from '../store/store.ts'
import type { Cursors } from './pagination.ts'

/** The parts of `RoomContext` (`rooms/room.ts`) that the routes of every room use. */
export type RoomOptions = { store: Store; cursors: Cursors }

/** The Fastify app for rooms, with Zod types as schemas. */
export type RoomApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** A room's routes: `export const noteRoutes: RoomRoutes = async (app, { store, cursors }) => { … }`, named in `<room>.room.ts`. */
export type RoomRoutes<Options extends RoomOptions = RoomOptions> = (app: RoomApp, options: Options) => Promise<void>
