import type { Room } from '../room.ts'
import { healthRoutes } from './health.routes.ts'

export const healthRoom: Room = { name: 'health', routes: [healthRoutes] }
