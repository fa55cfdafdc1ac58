import type { FastifyRequest } from 'fastify'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import type { Accounts } from './account-context.ts'

/** Routes about accounts, which get the state shared in this room. */
export type AccountRoutes = RoomRoutes<
  RoomOptions & {
    accounts: Accounts
    /** limits requests per address, for open routes that need no password; throws `rate_limited` */
    limitVisitor: (request: FastifyRequest) => void
    /** ends the session that the browser had before a sign-in */
    endEarlierSession: (request: FastifyRequest) => Promise<void>
  }
>
