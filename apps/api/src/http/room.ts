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

/** The part of `RoomContext` (`rooms/room.ts`) that the routes of every room use. */
export type RoomOptions = { store: Store; cursors: Cursors }

/** The type of the Fastify app that rooms get, with Zod schemas as types. */
export type RoomApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/**
 * A function that registers the routes of a room, named in `<room>.room.ts`: `export const noteRoutes: RoomRoutes = async (app, { store, cursors })
 * => { … }`.
 */
export type RoomRoutes<Options extends RoomOptions = RoomOptions> = (app: RoomApp, options: Options) => Promise<void>
