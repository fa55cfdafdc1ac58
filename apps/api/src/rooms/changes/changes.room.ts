import type { Room } from '../room.ts'
import { changeRoutes } from './changes.routes.ts'

export const changeRoom: Room = { name: 'changes', routes: [changeRoutes] }
