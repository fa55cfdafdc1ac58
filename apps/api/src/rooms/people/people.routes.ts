import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { businessParams } from '../businesses/businesses.ts'
import { blockPerson } from './block-person.ts'
import { joinPeople, separatePerson } from './join-people.ts'
import {
  addPersonSchema,
  blockedPersonSchema,
  blockPersonSchema,
  departureSchema,
  editPersonSchema,
  joinPersonSchema,
  personPageSchema,
  personParams,
  personSchema,
} from './people.schema.ts'
import { getPerson, listPeople } from './read-people.ts'
import { addPerson, editPerson, recordDeparture } from './write-person.ts'

export const peopleRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'people' })

  const answersPerson = {
    response: personSchema,
    etag: ({ version }: { version: number }) => version,
  }

  route.read({
    url: '/businesses/:businessId/people',
    id: 'listPeople',
    summary: 'List the people at one prospect and at those merged into it, newest first',
    permission: 'people.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: personPageSchema,
    answer: ({ actor, params, query }) => listPeople(store, cursors, actor, params.businessId, query),
  })

  route.change({
    url: '/businesses/:businessId/people',
    id: 'addPerson',
    summary: 'Add a person to a prospect; a value that the do-not-contact list contains marks the prospect',
    permission: 'people.write',
    action: 'person.add',
    params: businessParams,
    body: addPersonSchema,
    ...answersPerson,
    work: (tx, { params, body }) => addPerson(tx, params.businessId, body),
    location: ({ id }) => `/people/${id}`,
    answer: ({ id }, { actor }) => getPerson(store, actor, id),
  })

  route.read({
    url: '/people/:personId',
    id: 'getPerson',
    summary: 'Get a person at a prospect',
    permission: 'people.read',
    params: personParams,
    ...answersPerson,
    answer: ({ actor, params }) => getPerson(store, actor, params.personId),
  })

  route.change({
    method: 'PATCH',
    url: '/people/:personId',
    id: 'editPerson',
    summary: 'Update the given fields of a person, based on a version (If-Match)',
    permission: 'people.write',
    action: 'person.edit',
    params: personParams,
    body: editPersonSchema,
    ...answersPerson,
    work: (tx, { params, version, body }) => editPerson(tx, params.personId, version, body),
    answer: ({ id }, { actor }) => getPerson(store, actor, id),
  })

  route.change({
    url: '/people/:personId/departure',
    id: 'recordDeparture',
    summary: 'Record the day on which a person left the prospect; the person stays recorded',
    permission: 'people.write',
    action: 'person.depart',
    params: personParams,
    body: departureSchema,
    ...answersPerson,
    work: (tx, { params, body }) => recordDeparture(tx, params.personId, body.on),
    answer: ({ id }, { actor }) => getPerson(store, actor, id),
  })

  route.change({
    method: 'PUT',
    url: '/people/:personId/join',
    id: 'joinPeople',
    summary: 'Join another person of the prospect into this one, based on the versions of both (If-Match, withVersion)',
    permission: 'people.write',
    action: 'person.join',
    params: personParams,
    body: joinPersonSchema,
    ...answersPerson,
    work: (tx, { params, version, body }) => joinPeople(tx, params.personId, version, body),
    answer: ({ id }, { actor }) => getPerson(store, actor, id),
  })

  route.change({
    url: '/people/:personId/separation',
    id: 'separatePerson',
    summary: 'Separate a person from the one with whom it was joined; do not contact stays with both',
    permission: 'people.write',
    action: 'person.separate',
    params: personParams,
    ...answersPerson,
    work: (tx, { params }) => separatePerson(tx, params.personId),
    answer: ({ id }, { actor }) => getPerson(store, actor, id),
  })

  route.change({
    url: '/people/:personId/do-not-contact',
    id: 'blockPerson',
    summary: 'Mark a person as do not contact for good, and suppress the values of the person that the request names',
    permission: 'people.write',
    action: 'person.block',
    params: personParams,
    body: blockPersonSchema,
    response: blockedPersonSchema,
    work: (tx, { params, body }) => blockPerson(tx, params.personId, body),
    etag: ({ version }) => version,
    answer: async ({ id, suppressed }, { actor }) => ({
      ...(await getPerson(store, actor, id)),
      ...(suppressed === undefined ? {} : { suppressed }),
    }),
  })
}
