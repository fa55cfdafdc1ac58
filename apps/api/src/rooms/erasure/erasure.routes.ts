import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { businessParams } from '../businesses/businesses.ts'
import { getPerson, personParams, personSchema } from '../people/people.ts'
import type { RoomContext } from '../room.ts'
import { erasePersonEverywhere } from './erase-person-everywhere.ts'
import { eraseBusinessSchema, erasedBusinessSchema, erasePersonSchema } from './erasure.schema.ts'
import { eraseBusiness, getErased } from './erasure.ts'

export const erasureRoutes: RoomRoutes<RoomContext> = async (app, { store, rooms }) => {
  const route = createRoutes(app, { store, tag: 'erasure' })

  route.change({
    url: '/businesses/:businessId/erasure',
    id: 'eraseBusiness',
    summary: 'Erase a prospect and all records merged into it, permanently; suppressions remain',
    permission: 'erasure.erase',
    action: 'business.erase',
    stepUp: true,
    params: businessParams,
    body: eraseBusinessSchema,
    response: erasedBusinessSchema,
    run: ({ idempotency }, { actor, params, body }) =>
      eraseBusiness(store, rooms, actor, params.businessId, body, idempotency),
    answer: (erased, { actor }) => getErased(store.reader, actor.tenantId, erased),
  })

  route.change({
    url: '/people/:personId/erasure',
    id: 'erasePerson',
    summary: 'Erase a person at a prospect, with everybody joined with this person, permanently; suppressions remain',
    permission: 'erasure.erase',
    action: 'person.erase',
    stepUp: true,
    params: personParams,
    body: erasePersonSchema,
    response: personSchema,
    work: (tx, { params, body }) => erasePersonEverywhere(tx, { rooms, dataDir: store.dataDir }, params.personId, body),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getPerson(store, actor, id),
  })
}
