import type { Room } from '../room.ts'
import { erasureRoutes } from './erasure.routes.ts'

export const erasureRoom: Room = { name: 'erasure', routes: [erasureRoutes] }
