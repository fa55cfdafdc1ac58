import type { Factors, Invitation, OwnSession, RoleMatrix, Tenant, User } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
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

export const tenantQuery = queryOptions({
  queryKey: ['tenant'],
  queryFn: ({ signal }) => api.get<Tenant>('/tenant', { signal }),
})
