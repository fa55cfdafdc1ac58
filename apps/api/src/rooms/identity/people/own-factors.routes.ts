import { z } from 'zod'
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
export const factorRoutes: AccountRoutes = async (app, { accounts }) => {
  const tags = ['identity']
  const enrolling = { permission: null, during: ['enrolment'], stepUp: true } as const
  const changing = { permission: null, stepUp: true } as const

  app.get(
    '/mfa',
    {
      schema: {
        operationId: 'getFactors',
        summary: 'Get your second factors',
        tags,
        response: { 200: factorsSchema },
      },
      config: { permission: null, during: ['enrolment'] },
    },
    async (request) => getFactors(accounts, await callerOf(accounts, request)),
  )

  app.post(
    '/mfa/enrolment',
    {
      schema: {
        operationId: 'beginEnrolment',
        summary: 'Begin to enrol an authenticator app',
        tags,
        body: noInputSchema,
        response: { 201: enrolmentSchema },
      },
      config: enrolling,
    },
    async (request, reply) => {
      reply.code(201)
      return beginEnrolment(accounts, await callerOf(accounts, request))
    },
  )

  app.post(
    '/mfa/enrolment/confirmation',
    {
      schema: {
        operationId: 'confirmEnrolment',
        summary: 'Confirm the authenticator app by one of its codes',
        tags,
        body: confirmEnrolmentSchema,
        response: { 200: enrolledSchema },
      },
      config: enrolling,
    },
    async (request, reply) => {
      const { code } = request.body
      const { token, recoveryCodes } = await confirmEnrolment(accounts, await callerOf(accounts, request), code)
      await handOver(accounts, reply, token)
      return { recoveryCodes }
    },
  )

  app.post(
    '/mfa/recovery-codes',
    {
      schema: {
        operationId: 'renewRecoveryCodes',
        summary: 'Replace your recovery codes by ten new ones',
        tags,
        body: noInputSchema,
        response: { 200: recoveryCodesSchema },
      },
      config: changing,
    },
    async (request) => ({ recoveryCodes: await renewRecoveryCodes(accounts, await callerOf(accounts, request)) }),
  )

  app.delete(
    '/mfa/totp',
    {
      schema: {
        operationId: 'removeTotp',
        summary: 'Remove the authenticator app',
        tags,
        response: { 204: nothingSchema },
      },
      config: changing,
    },
    async (request, reply) => {
      await removeTotp(accounts, await callerOf(accounts, request))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/mfa/passkeys/options',
    {
      schema: {
        operationId: 'passkeyCreationOptions',
        summary: 'Get the options to create a passkey',
        tags,
        body: noInputSchema,
        response: { 200: creationOptionsSchema },
      },
      config: enrolling,
    },
    async (request) => passkeyCreationOptions(accounts, await callerOf(accounts, request), pageOrigin(request)),
  )

  app.post(
    '/mfa/passkeys',
    {
      schema: {
        operationId: 'addPasskey',
        summary: 'Enrol a passkey',
        tags,
        body: addPasskeySchema,
        response: { 201: addedPasskeySchema },
      },
      config: enrolling,
    },
    async (request, reply) => {
      const { name, passkey: attestation } = request.body
      const made = { name, attestation, origin: pageOrigin(request) }
      const { token, ...added } = await addPasskey(accounts, await callerOf(accounts, request), made)
      await handOver(accounts, reply, token)
      reply.code(201)
      return added
    },
  )

  app.delete(
    '/mfa/passkeys/:id',
    {
      schema: {
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        tags,
        params: z.object({ id: recordId }),
        response: { 204: nothingSchema },
      },
      config: changing,
    },
    async (request, reply) => {
      await removePasskey(accounts, await callerOf(accounts, request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
