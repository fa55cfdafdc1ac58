import type { FastifyRequest } from 'fastify'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import type { Accounts } from './account-context.ts'

/** Routes about accounts, with what they share. */
export type AccountRoutes = RoomRoutes<
  RoomOptions & {
    accounts: Accounts
    /** bounds what one address may ask of open routes that need no password; throws `rate_limited` */
    limitVisitor: (request: FastifyRequest) => void
  }
>
