import type { Room } from '../room.ts'
import { contactHoursRoutes } from './contact-hours.routes.ts'

export const contactHoursRoom: Room = { name: 'contact-hours', routes: [contactHoursRoutes] }
