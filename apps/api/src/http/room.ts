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

/** What the routes of a room are made with. */
export type RoomOptions = { store: Store; cursors: Cursors }

/** A room's routes: `export const noteRoutes: Room = async (app, { store, cursors }) => { … }`, registered by `app.ts`. */
export type Room<Options extends RoomOptions = RoomOptions> = (
  app: FastifyInstance<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    FastifyBaseLogger,
    ZodTypeProvider
  >,
  options: Options,
) => Promise<void>
