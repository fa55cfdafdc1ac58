import { checkedLinkSchema, checkLinkSchema, useLinkSchema } from '../accounts/users.schema.ts'
import { nothingSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { visitorOf } from '../sign-in/request-caller.ts'
import { checkLink, useLink } from './one-time-links.ts'

/** Registers the routes of invitations and password resets. The token is sent in the body, because URLs are logged. */
export const linkRoutes: AccountRoutes = async (app, { accounts, limitVisitor }) => {
  const tags = ['identity']

  app.post(
    '/one-time-links/check',
    {
      schema: {
        operationId: 'checkLink',
        summary: 'Get the purpose of a one-time link',
        tags,
        body: checkLinkSchema,
        response: { 200: checkedLinkSchema },
      },
      config: { open: true },
    },
    (request) => {
      limitVisitor(request)
      return checkLink(accounts, request.body.token, visitorOf(accounts, request))
    },
  )

  app.post(
    '/one-time-links/use',
    {
      schema: {
        operationId: 'useLink',
        summary: 'Use a one-time link: set a password, or join with your own',
        tags,
        body: useLinkSchema,
        response: { 204: nothingSchema },
      },
      config: { open: true },
    },
    async (request, reply) => {
      limitVisitor(request)
      await useLink(accounts, request.body, visitorOf(accounts, request))
      return reply.code(204).send(null)
    },
  )
}
