import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { assuranceSchema, newUserSchema, personName, roleSchema } from '../identity.schema.ts'
import { roles } from '../permissions.ts'
import { typedPassword } from './password.schema.ts'

export const userSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    status: z.enum(['active', 'disabled']),
    secondFactors: z.object({ totp: z.boolean(), passkeys: z.int() }),
    hasCompanyAccount: z.boolean().describe('Has linked a company account, by which the person can sign in.'),
    mustChangePassword: z.boolean(),
    isShared: z.boolean().describe('Also belongs to other workspaces.'),
    lastSignInAt: z.string().nullable().describe('To this workspace.'),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'User', description: 'A member of the workspace, as its administrators see them.' })
export type User = z.infer<typeof userSchema>

export const listQuery = z.strictObject(pageQuery)
export const userPageSchema = pageOf(userSchema).meta({ id: 'UserPage' })

export const editUserSchema = z
  .strictObject({ name: personName, role: z.enum(roles), status: z.enum(['active', 'disabled']) })
  .partial()
export type EditUser = z.infer<typeof editUserSchema>

const linkSchema = z
  .object({ token: z.string(), expiresAt: z.string() })
  .meta({ id: 'OneTimeLink', description: 'Shown once, to be handed over; in an address it follows #.' })
export type Link = z.infer<typeof linkSchema>

const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    createdAt: z.string(),
    createdBy: actorRefSchema,
    expiresAt: z.string(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitationSchema>

export const inviteSchema = newUserSchema
export const invitedSchema = z.object({ invitation: invitationSchema, link: linkSchema })
export const invitationPageSchema = pageOf(invitationSchema).meta({ id: 'InvitationPage' })

export const resetSchema = z.object({ link: linkSchema })
export const endedSchema = z.object({
  ended: z
    .int()
    .describe('Number of ended sessions. Of another person, only those in this workspace are ended and counted.'),
})

const token = z.string().min(1).max(100)
export const checkLinkSchema = z.strictObject({ token })
export const useLinkSchema = z.strictObject({ token, password: typedPassword('Enter a password.') })
export const checkedLinkSchema = z
  .object({
    purpose: z.enum(['invitation', 'password_reset']),
    email: z.string(),
    name: z.string(),
    tenantName: z.string(),
    needs: z
      .enum(['new_password', 'own_password'])
      .describe('own_password: the account exists; its password is required to join the workspace.'),
    expiresAt: z.string(),
  })
  .meta({ id: 'CheckedLink' })
export type CheckedLink = z.infer<typeof checkedLinkSchema>

export const ownSessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean(),
    tenant: z.object({ id: z.string(), name: z.string() }),
    address: z.string().nullable(),
    agent: z.string().nullable().describe('The User-Agent at sign-in.'),
    assurance: assuranceSchema,
    createdAt: z.string(),
    seenAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'OwnSession' })
export type OwnSession = z.infer<typeof ownSessionSchema>
export const ownSessionPageSchema = pageOf(ownSessionSchema).meta({ id: 'OwnSessionPage' })
