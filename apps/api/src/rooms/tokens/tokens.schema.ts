import { z } from 'zod'
import { personRefSchema } from '../../http/actor-ref.ts'
import { declaredList, pageOf, pageQuery } from '../../http/pagination.ts'
import { instant, line } from '../../http/text.ts'
import { permissionSchema } from '../identity/identity.ts'
import { isAddressRange } from './addresses.rules.ts'

const TOKEN_NAME_LENGTH = 80
/** Longest life of a token in days: a year. */
export const TOKEN_MAX_DAYS = 366
const MAX_ADDRESSES = 20
const MAX_ADDRESS_LENGTH = 60
const MAX_PERMISSIONS = 200

export const createTokenSchema = z.strictObject({
  name: line(TOKEN_NAME_LENGTH).describe('What the token is for; the audit shows it with each change.'),
  permissions: z
    .array(permissionSchema)
    .min(1)
    .max(MAX_PERMISSIONS)
    .refine((names) => new Set(names).size === names.length, 'Name each permission once.')
    .describe('A subset of your own permissions, of those that `GET /token-permissions` lists.'),
  endsAt: instant.describe(`When the token expires: at most ${TOKEN_MAX_DAYS} days from now.`),
  addresses: z
    .array(
      z.string().max(MAX_ADDRESS_LENGTH).refine(isAddressRange, 'Enter an IP address, or a range such as 10.1.0.0/16.'),
    )
    .max(MAX_ADDRESSES)
    .default([])
    .describe('IP addresses, or ranges in CIDR notation, from which the token is accepted; empty: from everywhere.'),
})
export type CreateToken = z.output<typeof createTokenSchema>

export const listTokensQuery = z.strictObject({
  ...pageQuery,
  scope: z
    .enum(['own', 'workspace'])
    .default('own')
    .describe('own: your tokens. workspace: those of all members, with the permission `tokens.manage`.'),
})

const tokenProperties = {
  id: z.string(),
  name: z.string(),
  person: personRefSchema.describe('The member for whom a program acts with the token.'),
  status: z
    .enum(['active', 'expired', 'revoked', 'ended'])
    .describe('ended: with the membership of its person, or by a restore of the workspace'),
  permissions: z.array(z.string()).describe('The permissions that the token was given.'),
  addresses: z.array(z.string()),
  createdAt: z.string(),
  endsAt: z.string(),
  lastUsedAt: z.string().nullable().describe('The last use, exact to a minute.'),
  revokedAt: z.string().nullable(),
  revokedBy: personRefSchema.nullable(),
}

export const tokenSchema = z.object(tokenProperties).meta({ id: 'AccessToken' })
export type AccessToken = z.infer<typeof tokenSchema>

export const newTokenSchema = z
  .object({
    ...tokenProperties,
    secret: z.string().describe('The token for the Authorization header. It is shown in this response only.'),
  })
  .meta({ id: 'NewAccessToken' })

export const tokenPageSchema = pageOf(tokenSchema).meta({ id: 'AccessTokenPage' })

export const tokenPermissionsSchema = z
  .object({
    groups: declaredList(
      z.object({
        group: z.string(),
        label: z.string(),
        permissions: declaredList(
          z.object({
            permission: permissionSchema,
            label: z.string(),
            isHeld: z.boolean().describe('Whether you have the permission, so that your tokens can have it.'),
            changes: z.boolean().describe('false for a permission that only reads.'),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'TokenPermissions', description: 'The permissions that an access token can have, by group.' })
export type TokenPermissions = z.infer<typeof tokenPermissionsSchema>
