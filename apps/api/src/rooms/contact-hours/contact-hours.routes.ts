import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { contactHoursQuery, contactHoursSchema } from './contact-hours.schema.ts'
import { readContactHours } from './contact-hours.ts'

export const contactHoursRoutes: RoomRoutes = async (app, { store }) => {
  const route = createRoutes(app, { store, tag: 'contact hours' })

  route.read({
    url: '/contact-hours',
    id: 'getContactHours',
    summary: 'Get whether people in a country may be contacted at a time; no legal advice',
    permission: null,
    query: contactHoursQuery,
    response: contactHoursSchema,
    answer: ({ query: { country, channel, at = store.clock().toISOString() } }) =>
      readContactHours({ country, channel, at }),
  })
}
