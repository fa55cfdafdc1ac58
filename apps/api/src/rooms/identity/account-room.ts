import type { FastifyRequest } from 'fastify'
import type { Room, RoomOptions } from '../../http/room.ts'
import type { Accounts } from './accounts.ts'

/** Routes about accounts, with what they share. */
export type AccountRoom = Room<
  RoomOptions & {
    accounts: Accounts
    /** bounds what one address may ask of open routes that need no password; throws `rate_limited` */
    limitVisitor: (request: FastifyRequest) => void
  }
>
