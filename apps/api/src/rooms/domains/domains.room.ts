import type { Room } from '../room.ts'
import { nameRoutes } from './names/names.routes.ts'

export const domainRoom: Room = { name: 'domains', routes: [nameRoutes] }
