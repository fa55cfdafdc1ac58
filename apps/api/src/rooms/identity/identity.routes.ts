import type { FastifyRequest } from 'fastify'
import { toPage } from '../../http/pagination.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { holds } from '../../http/session-guard.ts'
import { countActiveMembers, listActiveMembers } from './identity.queries.ts'
import { assigneePageSchema, listAssigneesQuery, roleMatrixSchema } from './identity.schema.ts'
import { createAttemptLimit } from './limits/attempt-limit.ts'
import { requireNoWait, sourceOf } from './limits/rate-limited.ts'
import { linkRoutes } from './links/links.routes.ts'
import { companyRoutes } from './people/company.routes.ts'
import { ownAccountRoutes } from './people/own-account.routes.ts'
import { factorRoutes } from './people/own-factors.routes.ts'
import { tenantRoutes } from './people/tenant.routes.ts'
import { userRoutes } from './people/users.routes.ts'
import { roleMatrix } from './permissions.ts'
import { createAccounts, type IdentityConfig } from './sessions/account-context.ts'
import { earlierSessionEnder } from './sign-in/request-caller.ts'
import { sessionRoutes } from './sign-in/session.routes.ts'

/** Limit of requests per address and quarter of an hour, for open routes that look up data or store a challenge. */
const VISITS = { max: 120, windowMs: 15 * 60_000, maxKeys: 20_000 }

/** Registers the routes of accounts, authentication and the tenant of a session (specification, Authentication). */
export const identityRoutes: RoomRoutes<RoomOptions & { config: IdentityConfig }> = async (
  app,
  { store, cursors, config },
) => {
  const route = createRoutes(app, { store, tag: 'workspace' })
  const visits = createAttemptLimit(store.clock, VISITS)
  const limitVisitor = (request: FastifyRequest) => requireNoWait(visits.take(sourceOf(request.ip)))
  const accounts = createAccounts(store, config)
  const options = { store, cursors, accounts, limitVisitor, endEarlierSession: earlierSessionEnder(accounts, app.log) }
  await app.register(sessionRoutes, options)
  await app.register(companyRoutes, options)
  await app.register(ownAccountRoutes, options)
  await app.register(factorRoutes, options)
  await app.register(userRoutes, options)
  await app.register(linkRoutes, options)
  await app.register(tenantRoutes, options)

  route.read({
    url: '/roles',
    id: 'listRoles',
    summary: 'List the roles with their permissions',
    permission: null,
    during: holds,
    response: roleMatrixSchema,
    answer: () => roleMatrix,
  })

  route.read({
    url: '/assignees',
    id: 'listAssignees',
    summary: 'List the active members of the workspace, by name',
    permission: null,
    query: listAssigneesQuery,
    response: assigneePageSchema,
    answer: async ({ actor: { tenantId }, query }) => {
      const { limit, cursor } = query
      const binding = [tenantId, 'assignees']
      const after = cursor === undefined ? undefined : cursors.decode(binding, cursor)
      return toPage({
        rows: await listActiveMembers(store.reader, tenantId, { after, limit }),
        limit,
        toItem: (person) => person,
        cursorAfter: ({ name, id }) => cursors.encode(binding, [name, id]),
        total: {
          value: await countActiveMembers(store.reader, tenantId),
          counts: 'matching_set',
          asOf: store.clock().toISOString(),
        },
      })
    },
  })
}
