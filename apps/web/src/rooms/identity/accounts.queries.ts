import { listInvitations, listOwnSessions, listUsers, type Role, type User } from '@prospect/api-client'
import {
  getFactorsOptions,
  getTenantOptions,
  listInvitationsQueryKey,
  listOwnSessionsQueryKey,
  listRolesOptions,
  listUsersQueryKey,
} from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { ENTRIES_PER_PAGE, keepsPlace, type PagedList } from '../../ui/lists/visible-pages.ts'

export const factorsQuery = getFactorsOptions()

export const ownSessionsQuery = pagedQuery(listOwnSessionsQueryKey(), (query, signal) =>
  dataOf(listOwnSessions({ query, signal })),
)
export const userPages: PagedList<User> = {
  queryKey: listUsersQueryKey(),
  readPage: (page, signal) => dataOf(listUsers({ query: page, signal })),
  limit: ENTRIES_PER_PAGE,
  placeOf: keepsPlace,
}
export const invitationsQuery = pagedQuery(listInvitationsQueryKey(), (query, signal) =>
  dataOf(listInvitations({ query, signal })),
)

export const rolesQuery = listRolesOptions()

/** Description of a role; undefined until the roles are loaded. */
export function useRoleText(role: Role): string | undefined {
  return useQuery(rolesQuery).data?.roles.find((one) => one.role === role)?.description
}

export const tenantQuery = getTenantOptions()
