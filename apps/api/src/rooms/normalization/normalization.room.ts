import type { Room } from '../room.ts'
import { normalizationRoutes } from './normalization.routes.ts'

export const normalizationRoom: Room = { name: 'normalization', routes: [normalizationRoutes] }
