import type { Factors, Invitation, OwnSession, Role, RoleMatrix, Tenant, User } from '@prospect/api-client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => api.get<Factors>('/mfa', { signal }),
})

export const ownSessionsQuery = pagedQuery<OwnSession>(['own-sessions'], '/sessions')
export const usersQuery = pagedQuery<User>(['users'], '/users')
export const invitationsQuery = pagedQuery<Invitation>(['invitations'], '/invitations')

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: ({ signal }) => api.get<RoleMatrix>('/roles', { signal }),
})

/** A role in one sentence; nothing until the roles are there. */
export function useRoleText(role: Role): string | undefined {
  return useQuery(rolesQuery).data?.roles.find((one) => one.role === role)?.description
}

export const tenantQuery = queryOptions({
  queryKey: ['tenant'],
  queryFn: ({ signal }) => api.get<Tenant>('/tenant', { signal }),
})
