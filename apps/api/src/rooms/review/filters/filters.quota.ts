import { countRows, type Quota } from '../../../store/change/quota.ts'
import { filtersOfPerson, sharedFilters } from './filters.queries.ts'
import { limits } from './filters.schema.ts'

export const ownFilterQuota: Quota = {
  name: 'saved_filters',
  of: 'person',
  label: 'saved filters',
  remedy: 'Delete one first.',
  max: limits.ofPerson,
  error: 'too_many_filters',
  count: (db, owner, upTo) => countRows(db, filtersOfPerson(db, owner), upTo),
}

export const sharedFilterQuota: Quota = {
  name: 'shared_filters',
  of: 'tenant',
  label: 'shared filters',
  remedy: 'Delete one first, or stop sharing one.',
  max: limits.sharedOfTenant,
  error: 'too_many_filters',
  count: (db, owner, upTo) => countRows(db, sharedFilters(db, owner), upTo),
}
