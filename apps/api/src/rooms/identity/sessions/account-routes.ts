import type { FastifyRequest } from 'fastify'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import type { Accounts } from './account-context.ts'

/** Routes about accounts, with their shared state. */
export type AccountRoutes = RoomRoutes<
  RoomOptions & {
    accounts: Accounts
    /** limits requests per address to open routes without a password; throws `rate_limited` */
    limitVisitor: (request: FastifyRequest) => void
  }
>
