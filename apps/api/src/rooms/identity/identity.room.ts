import type { Room } from '../room.ts'
import { identityRoutes } from './identity.routes.ts'

export const identityRoom: Room = { name: 'identity', routes: [identityRoutes] }
