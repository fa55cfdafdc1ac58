import { expectedVersion, setEntityTag, versionHeaders } from '../../../http/conditional.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { getTenant } from '../identity.queries.ts'
import { editTenantSchema, tenantSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { callerOf } from '../sign-in/request-caller.ts'
import { editTenant } from './tenant.ts'

/** Registers the routes of the session's tenant. Tenants are created on the command line by the platform's operator. */
export const tenantRoutes: AccountRoutes = async (app, { store, accounts }) => {
  const tags = ['identity']

  app.get(
    '/tenant',
    {
      schema: { operationId: 'getTenant', summary: 'Get the current workspace', tags, response: { 200: tenantSchema } },
      config: { permission: null, tells: ['etag'] },
    },
    async (request, reply) => {
      const tenant = await getTenant(store.reader, actorOf(request).tenantId)
      setEntityTag(reply, tenant.version)
      return tenant
    },
  )

  app.patch(
    '/tenant',
    {
      schema: {
        operationId: 'editTenant',
        summary: 'Change the name, time zone, country, locale or term of suppression entries of the workspace',
        tags,
        headers: versionHeaders,
        body: editTenantSchema,
        response: { 200: tenantSchema },
      },
      config: { permission: 'tenant.configure', stepUp: true, tells: ['etag'] },
    },
    async (request, reply) => {
      const wanted = { version: expectedVersion(request), edit: request.body }
      const tenant = await editTenant(store, await callerOf(accounts, request), wanted)
      setEntityTag(reply, tenant.version)
      return tenant
    },
  )
}
