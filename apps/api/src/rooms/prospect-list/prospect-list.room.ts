import type { Room } from '../room.ts'
import { prospectListRoutes } from './prospect-list.routes.ts'

export const prospectListRoom: Room = { name: 'prospect-list', routes: [prospectListRoutes] }
