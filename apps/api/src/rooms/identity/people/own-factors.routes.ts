import { z } from 'zod'
import { createRoutes } from '../../../http/routes.ts'
import { pageOrigin } from '../../../http/session-guard.ts'
import { recordId } from '../../../http/text.ts'
import { creationOptionsSchema } from '../accounts/passkeys.schema.ts'
import {
  addedPasskeySchema,
  addPasskeySchema,
  confirmEnrolmentSchema,
  enrolledSchema,
  enrolmentSchema,
  factorsSchema,
  recoveryCodesSchema,
} from '../factors/factors.schema.ts'
import { noInputSchema, nothingSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { callerOf, handOver } from '../sign-in/request-caller.ts'
import {
  addPasskey,
  beginEnrolment,
  confirmEnrolment,
  getFactors,
  passkeyCreationOptions,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from './own-factors.ts'

/** Registers the routes of a person's own second factors. A person who must enrol their first factor can use only these routes. */
export const factorRoutes: AccountRoutes = async (app, { store, accounts }) => {
  const route = createRoutes(app, { store, tag: 'identity' })

  route.custom({
    method: 'GET',
    url: '/mfa',
    id: 'getFactors',
    summary: 'Get your second factors',
    permission: null,
    onlySession: true,
    during: ['enrolment'],
    response: factorsSchema,
    handle: async (request) => getFactors(accounts, await callerOf(accounts, request)),
  })

  route.custom({
    method: 'POST',
    url: '/mfa/enrolment',
    id: 'beginEnrolment',
    summary: 'Begin to enrol an authenticator app',
    permission: null,
    during: ['enrolment'],
    stepUp: true,
    body: noInputSchema,
    response: enrolmentSchema,
    status: 201,
    handle: async (request) => beginEnrolment(accounts, await callerOf(accounts, request)),
  })

  route.custom({
    method: 'POST',
    url: '/mfa/enrolment/confirmation',
    id: 'confirmEnrolment',
    summary: 'Confirm the authenticator app by one of its codes',
    permission: null,
    during: ['enrolment'],
    stepUp: true,
    body: confirmEnrolmentSchema,
    response: enrolledSchema,
    handle: async (request, reply) => {
      const { code } = request.body
      const { token, recoveryCodes } = await confirmEnrolment(accounts, await callerOf(accounts, request), code)
      await handOver(accounts, reply, token)
      return { recoveryCodes }
    },
  })

  route.custom({
    method: 'POST',
    url: '/mfa/recovery-codes',
    id: 'renewRecoveryCodes',
    summary: 'Replace your recovery codes by ten new ones',
    permission: null,
    stepUp: true,
    body: noInputSchema,
    response: recoveryCodesSchema,
    handle: async (request) => ({
      recoveryCodes: await renewRecoveryCodes(accounts, await callerOf(accounts, request)),
    }),
  })

  route.custom({
    method: 'DELETE',
    url: '/mfa/totp',
    id: 'removeTotp',
    summary: 'Remove the authenticator app',
    permission: null,
    stepUp: true,
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      await removeTotp(accounts, await callerOf(accounts, request))
      return null
    },
  })

  route.custom({
    method: 'POST',
    url: '/mfa/passkeys/options',
    id: 'passkeyCreationOptions',
    summary: 'Get the options to create a passkey',
    permission: null,
    during: ['enrolment'],
    stepUp: true,
    body: noInputSchema,
    response: creationOptionsSchema,
    handle: async (request) => passkeyCreationOptions(accounts, await callerOf(accounts, request), pageOrigin(request)),
  })

  route.custom({
    method: 'POST',
    url: '/mfa/passkeys',
    id: 'addPasskey',
    summary: 'Enrol a passkey',
    permission: null,
    during: ['enrolment'],
    stepUp: true,
    body: addPasskeySchema,
    response: addedPasskeySchema,
    status: 201,
    handle: async (request, reply) => {
      const { name, passkey: attestation } = request.body
      const made = { name, attestation, origin: pageOrigin(request) }
      const { token, ...added } = await addPasskey(accounts, await callerOf(accounts, request), made)
      await handOver(accounts, reply, token)
      return added
    },
  })

  route.custom({
    method: 'DELETE',
    url: '/mfa/passkeys/:id',
    id: 'removePasskey',
    summary: 'Remove a passkey',
    permission: null,
    stepUp: true,
    params: z.object({ id: recordId }),
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      await removePasskey(accounts, await callerOf(accounts, request), request.params.id)
      return null
    },
  })
}
