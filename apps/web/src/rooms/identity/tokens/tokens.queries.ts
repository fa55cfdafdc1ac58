import { listTokens } from '@prospect/api-client'
import { listTokenPermissionsOptions, listTokensQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../../../ui/api/data-of.ts'
import { pagedQuery } from '../../../ui/api/page-queries.ts'
import { pagedList } from '../../../ui/lists/visible-pages.ts'

export const ownTokensQuery = pagedQuery(listTokensQueryKey({ query: { scope: 'own' } }), (query, signal) =>
  dataOf(listTokens({ query: { ...query, scope: 'own' }, signal })),
)

export const workspaceTokenPages = pagedList(listTokensQueryKey({ query: { scope: 'workspace' } }), (page, signal) =>
  dataOf(listTokens({ query: { ...page, scope: 'workspace' }, signal })),
)

export const tokenPermissionsQuery = listTokenPermissionsOptions()
