import { listInvitations, listOwnSessions, listUsers, type Role } from '@prospect/api-client'
import {
  getCompanyIdentitiesOptions,
  getCompanySignInOptions,
  getFactorsOptions,
  getTenantOptions,
  listInvitationsQueryKey,
  listOwnSessionsQueryKey,
  listRolesOptions,
  listUsersQueryKey,
} from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'

export const factorsQuery = getFactorsOptions()

/** Reads whether people can sign in with a company account. The answer changes only when the server restarts. */
export const companySignInQuery = getCompanySignInOptions({ ...outsideSession })
export const companyIdentitiesQuery = getCompanyIdentitiesOptions()

export const ownSessionsQuery = pagedQuery(listOwnSessionsQueryKey(), (query, signal) =>
  dataOf(listOwnSessions({ query, signal })),
)
export const userPages = pagedList(listUsersQueryKey(), (page, signal) => dataOf(listUsers({ query: page, signal })))
export const invitationsQuery = pagedQuery(listInvitationsQueryKey(), (query, signal) =>
  dataOf(listInvitations({ query, signal })),
)

export const rolesQuery = listRolesOptions()

/** Description of a role; undefined until the roles are loaded. */
export function useRoleText(role: Role): string | undefined {
  return useQuery(rolesQuery).data?.roles.find((one) => one.role === role)?.description
}

export const tenantQuery = getTenantOptions()
