import { z } from 'zod'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { UserActor } from '../../../lib/actor.ts'
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

/**
 * Routes of saved filters. Any session may manage its own filters and defaults. The called functions check the permissions for all other operations.
 */
export const filterRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'saved filters' })
  const answersFilter = {
    response: savedFilterSchema,
    answer: ({ id }: { id: string }, { actor }: { actor: UserActor }) => getFilter(store, actor, id),
  }

  route.read({
    url: '/saved-filters',
    id: 'listSavedFilters',
    summary: 'Own and shared filters, by name',
    permission: null,
    query: listFiltersQuery,
    response: savedFilterPageSchema,
    answer: ({ actor, query }) => listFilters(store, cursors, actor, query),
  })

  route.change({
    url: '/saved-filters',
    id: 'createSavedFilter',
    summary: 'Save a filter, for oneself or for the workspace',
    permission: null,
    action: 'saved_filter.create',
    body: createFilterSchema,
    work: (tx, { actor, body }) => createFilter(tx, actor, body),
    location: ({ id }) => `/saved-filters/${id}`,
    ...answersFilter,
  })

  route.read({
    url: '/saved-filters/defaults',
    id: 'getFilterDefaults',
    summary: 'The filters with which the desks open: the own ones and those of the workspace',
    permission: null,
    response: filterDefaultsSchema,
    etag: ({ version }) => version,
    answer: ({ actor }) => getDefaults(store.reader, actor),
  })

  route.change({
    method: 'PUT',
    url: '/saved-filters/defaults',
    id: 'setFilterDefaults',
    summary: 'Set the filters with which the desks open',
    permission: null,
    action: 'saved_filter.set_defaults',
    body: setDefaultsSchema,
    response: filterDefaultsSchema,
    work: (tx, { actor, version, body }) => setDefaults(tx, actor, version, body),
    etag: ({ version }) => version,
    answer: (defaults) => defaults,
  })

  route.read({
    url: '/saved-filters/:savedFilterId',
    id: 'getSavedFilter',
    summary: 'One filter, with what of it is removed or cannot be read',
    permission: null,
    params: filterParams,
    response: savedFilterSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getFilter(store, actor, params.savedFilterId),
  })

  route.change({
    method: 'PATCH',
    url: '/saved-filters/:savedFilterId',
    id: 'editSavedFilter',
    summary: 'Change a filter on the version that was seen (If-Match)',
    permission: null,
    action: 'saved_filter.edit',
    params: filterParams,
    body: editFilterSchema,
    work: (tx, { actor, params, version, body }) => editFilter(tx, actor, params.savedFilterId, version, body),
    etag: ({ version }) => version,
    ...answersFilter,
  })

  route.change({
    method: 'DELETE',
    url: '/saved-filters/:savedFilterId',
    id: 'deleteSavedFilter',
    summary: 'Delete a filter; a default falls back to the next one',
    permission: null,
    action: 'saved_filter.delete',
    params: filterParams,
    response: z.null(),
    status: 204,
    work: (tx, { actor, params }) => removeFilter(tx, actor, params.savedFilterId),
    answer: () => null,
  })

  route.change({
    url: '/saved-filters/:savedFilterId/lock',
    id: 'lockSavedFilter',
    summary: 'Lock a shared filter, so that only managers change it',
    permission: 'saved_filters.manage',
    action: 'saved_filter.lock',
    params: filterParams,
    work: (tx, { actor, params }) => lockFilter(tx, actor, params.savedFilterId, true),
    ...answersFilter,
  })

  route.change({
    method: 'DELETE',
    url: '/saved-filters/:savedFilterId/lock',
    id: 'unlockSavedFilter',
    summary: 'Unlock a shared filter',
    permission: 'saved_filters.manage',
    action: 'saved_filter.lock',
    params: filterParams,
    work: (tx, { actor, params }) => lockFilter(tx, actor, params.savedFilterId, false),
    ...answersFilter,
  })
}
