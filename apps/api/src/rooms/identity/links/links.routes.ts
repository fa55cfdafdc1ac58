import { createRoutes } from '../../../http/routes.ts'
import { checkedLinkSchema, checkLinkSchema, useLinkSchema } from '../accounts/users.schema.ts'
import { nothingSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { visitorOf } from '../sign-in/request-caller.ts'
import { checkLink, useLink } from './one-time-links.ts'

/** Registers the routes of invitations and password resets. The token is sent in the body, because URLs are logged. */
export const linkRoutes: AccountRoutes = async (app, { store, accounts, limitVisitor }) => {
  const route = createRoutes(app, { store, tag: 'identity' })

  route.custom({
    method: 'POST',
    url: '/one-time-links/check',
    id: 'checkLink',
    summary: 'Get the purpose of a one-time link',
    open: true,
    body: checkLinkSchema,
    response: checkedLinkSchema,
    handle: (request) => {
      limitVisitor(request)
      return checkLink(accounts, request.body.token, visitorOf(accounts, request))
    },
  })

  route.custom({
    method: 'POST',
    url: '/one-time-links/use',
    id: 'useLink',
    summary: 'Use a one-time link: set a password, or join with your own',
    open: true,
    body: useLinkSchema,
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      limitVisitor(request)
      await useLink(accounts, request.body, visitorOf(accounts, request))
      return null
    },
  })
}
