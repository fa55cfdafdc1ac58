import type { Room } from '../room.ts'
import { dashboardRoutes } from './dashboard.routes.ts'

export const dashboardRoom: Room = { name: 'dashboard', routes: [dashboardRoutes] }
