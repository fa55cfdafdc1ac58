import { expectedVersion, setEntityTag, versionHeaders } from '../../../http/conditional.ts'
import { createRoutes } from '../../../http/routes.ts'
import { getTenant } from '../identity.queries.ts'
import { editTenantSchema, tenantSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { callerOf } from '../sign-in/request-caller.ts'
import { editTenant } from './tenant.ts'

/** Registers the routes of the session's tenant. Tenants are created on the command line by the platform's operator. */
export const tenantRoutes: AccountRoutes = async (app, { store, accounts }) => {
  const route = createRoutes(app, { store, tag: 'workspace' })

  route.read({
    url: '/tenant',
    id: 'getTenant',
    summary: 'Get the current workspace',
    permission: null,
    response: tenantSchema,
    etag: ({ version }) => version,
    answer: ({ actor }) => getTenant(store.reader, actor.tenantId),
  })

  route.custom({
    method: 'PATCH',
    url: '/tenant',
    id: 'editTenant',
    summary:
      'Change the name, time zone, country, locale or term of suppression entries of the workspace, or whether it accepts access tokens',
    permission: 'tenant.configure',
    stepUp: true,
    tells: ['etag'],
    headers: versionHeaders,
    body: editTenantSchema,
    response: tenantSchema,
    handle: async (request, reply) => {
      const wanted = { version: expectedVersion(request), edit: request.body }
      const tenant = await editTenant(store, await callerOf(accounts, request), wanted)
      setEntityTag(reply, tenant.version)
      return tenant
    },
  })
}
