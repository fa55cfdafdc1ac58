import { z } from 'zod'
import { newestFirst } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { actorOf } from '../../http/session-guard.ts'
import { recordId } from '../../http/text.ts'
import { requirePermission } from '../../lib/actor.ts'
import { change } from '../../store/change/change.ts'
import { clientOf } from '../identity/identity.ts'
import { createToken } from './create-token.ts'
import { revokeToken } from './revoke-token.ts'
import { tokenPermissionsFor } from './token-permissions.ts'
import { allTokens, findShownToken, selectTokens, type TokenFilter, toToken } from './tokens.queries.ts'
import {
  createTokenSchema,
  listTokensQuery,
  newTokenSchema,
  tokenPageSchema,
  tokenPermissionsSchema,
} from './tokens.schema.ts'

/** Registers the routes by which people manage access tokens. No access token can call a route that changes or lists tokens. */
export const tokenRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'tokens' })

  route.read({
    url: '/token-permissions',
    id: 'listTokenPermissions',
    summary: 'List the permissions that an access token can have, by group',
    permission: null,
    response: tokenPermissionsSchema,
    answer: ({ actor }) => tokenPermissionsFor(actor.permissions),
  })

  route.read({
    url: '/tokens',
    id: 'listTokens',
    summary: 'List your access tokens, or those of all members, newest first; never their secrets',
    permission: null,
    onlySession: true,
    query: listTokensQuery,
    response: tokenPageSchema,
    answer: async ({ actor, query }) => {
      const { tenantId, userId } = actor
      if (query.scope === 'workspace') requirePermission(actor, 'tokens.manage')
      const filter: TokenFilter = query.scope === 'workspace' ? { tenantId } : { tenantId, userId }
      return newestFirst({
        store,
        tenantId,
        cursors,
        binding: ['tokens', tenantId, filter.userId ?? ''],
        query,
        fetch: (before, limit) => selectTokens(store.reader, filter, { before, limit }),
        count: (db) => allTokens(db, filter),
        toItem: (row) => toToken(row, store.clock().getTime()),
      })
    },
  })

  route.custom({
    method: 'POST',
    url: '/tokens',
    id: 'createToken',
    summary: 'Create an access token for a program that acts for you; its secret is in this response only',
    permission: null,
    stepUp: true,
    body: createTokenSchema,
    response: newTokenSchema,
    status: 201,
    handle: async (request) => {
      const actor = actorOf(request)
      const { tenantId, userId } = actor
      const { value } = await change(store, actor, { permission: null, action: 'token.create' }, (tx) =>
        createToken(tx, userId, { ...request.body, origin: clientOf(request) }),
      )
      const token = await findShownToken(store.reader, { tenantId, id: value.id }, store.clock().getTime())
      if (token === undefined) throw new Error('A token that was just created cannot be read back.')
      return { ...token, secret: value.secret }
    },
  })

  route.custom({
    method: 'DELETE',
    url: '/tokens/:tokenId',
    id: 'revokeToken',
    summary: 'Revoke one of your access tokens at once, or with `tokens.manage` one of another member',
    permission: null,
    params: z.object({ tokenId: recordId }),
    response: z.null(),
    status: 204,
    handle: async (request) => {
      const actor = actorOf(request)
      await change(store, actor, { permission: null, action: 'token.revoke' }, (tx) =>
        revokeToken(tx, actor.userId, { id: request.params.tokenId, origin: clientOf(request) }),
      )
      return null
    },
  })
}
