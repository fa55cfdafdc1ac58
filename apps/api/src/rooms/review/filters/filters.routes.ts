import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders, setEntityTag, versionHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { change } from '../../../store/change/change.ts'
import {
  createFilterSchema,
  editFilterSchema,
  filterDefaultsSchema,
  filterParams,
  listFiltersQuery,
  savedFilterPageSchema,
  savedFilterSchema,
  setDefaultsSchema,
} from './filters.schema.ts'
import {
  createFilter,
  editFilter,
  getDefaults,
  getFilter,
  listFilters,
  lockFilter,
  removeFilter,
  setDefaults,
} from './saved-filters.ts'

const tags = ['saved filters']

/**
 * Routes of saved filters. Any session may manage its own filters and defaults. The called functions check the permissions for all other operations.
 */
export const filterRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/saved-filters',
    {
      schema: {
        operationId: 'listSavedFilters',
        tags,
        summary: 'Own and shared filters, by name',
        querystring: listFiltersQuery,
        response: { 200: savedFilterPageSchema },
      },
      config: { permission: null },
    },
    (request) => listFilters(store, cursors, actorOf(request), request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/saved-filters',
    permission: null,
    action: 'saved_filter.create',
    schema: {
      operationId: 'createSavedFilter',
      tags,
      summary: 'Save a filter, for oneself or for the workspace',
      headers: idempotencyHeaders,
      body: createFilterSchema,
      response: { 201: savedFilterSchema },
    },
    status: 201,
    work: (tx, { actor, body }) => createFilter(tx, actor, body),
    location: ({ id }) => `/saved-filters/${id}`,
    answer: ({ id }, { actor }) => getFilter(store, actor, id),
  })

  app.get(
    '/saved-filters/defaults',
    {
      schema: {
        operationId: 'getFilterDefaults',
        tags,
        summary: 'The filters with which the desks open: the own ones and those of the workspace',
        response: { 200: filterDefaultsSchema },
      },
      config: { permission: null, tells: ['etag'] },
    },
    async (request, reply) => {
      const defaults = await getDefaults(store.reader, actorOf(request))
      setEntityTag(reply, defaults.version)
      return defaults
    },
  )

  changeRoute(app, store, {
    method: 'PUT',
    url: '/saved-filters/defaults',
    permission: null,
    action: 'saved_filter.set_defaults',
    schema: {
      operationId: 'setFilterDefaults',
      tags,
      summary: 'Set the filters with which the desks open',
      headers: versionHeaders,
      body: setDefaultsSchema,
      response: { 200: filterDefaultsSchema },
    },
    status: 200,
    work: (tx, { actor, version, body }) => setDefaults(tx, actor, version, body),
    etag: ({ version }) => version,
    answer: (defaults) => defaults,
  })

  app.get(
    '/saved-filters/:savedFilterId',
    {
      schema: {
        operationId: 'getSavedFilter',
        tags,
        summary: 'One filter, with what of it is removed or cannot be read',
        params: filterParams,
        response: { 200: savedFilterSchema },
      },
      config: { permission: null, tells: ['etag'] },
    },
    async (request, reply) => {
      const filter = await getFilter(store, actorOf(request), request.params.savedFilterId)
      setEntityTag(reply, filter.version)
      return filter
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: '/saved-filters/:savedFilterId',
    permission: null,
    action: 'saved_filter.edit',
    schema: {
      operationId: 'editSavedFilter',
      tags,
      summary: 'Change a filter on the version that was seen (If-Match)',
      params: filterParams,
      headers: versionHeaders,
      body: editFilterSchema,
      response: { 200: savedFilterSchema },
    },
    status: 200,
    work: (tx, { actor, params, version, body }) => editFilter(tx, actor, params.savedFilterId, version, body),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getFilter(store, actor, id),
  })

  app.delete(
    '/saved-filters/:savedFilterId',
    {
      schema: {
        operationId: 'deleteSavedFilter',
        tags,
        summary: 'Delete a filter; a default falls back to the next one',
        params: filterParams,
        response: { 204: z.null() },
      },
      config: { permission: null },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      await change(store, actor, { permission: null, action: 'saved_filter.delete' }, (tx) =>
        removeFilter(tx, actor, request.params.savedFilterId),
      )
      return reply.code(204).send(null)
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/saved-filters/:savedFilterId/lock',
    permission: 'saved_filters.manage',
    action: 'saved_filter.lock',
    schema: {
      operationId: 'lockSavedFilter',
      tags,
      summary: 'Lock a shared filter, so that only managers change it',
      params: filterParams,
      headers: idempotencyHeaders,
      response: { 200: savedFilterSchema },
    },
    status: 200,
    work: (tx, { actor, params }) => lockFilter(tx, actor, params.savedFilterId, true),
    answer: ({ id }, { actor }) => getFilter(store, actor, id),
  })

  app.delete(
    '/saved-filters/:savedFilterId/lock',
    {
      schema: {
        operationId: 'unlockSavedFilter',
        tags,
        summary: 'Unlock a shared filter',
        params: filterParams,
        response: { 200: savedFilterSchema },
      },
      config: { permission: 'saved_filters.manage' },
    },
    async (request) => {
      const actor = actorOf(request)
      const options = { permission: 'saved_filters.manage', action: 'saved_filter.lock' } as const
      const { value } = await change(store, actor, options, (tx) =>
        lockFilter(tx, actor, request.params.savedFilterId, false),
      )
      return getFilter(store, actor, value.id)
    },
  )
}
