import { z } from 'zod'
import { MAX_ID_TOKEN_LENGTH } from './id-token.ts'

/** Longest value that is accepted and refused with a reason. An even longer one is an invalid request. */
const MAX_SENT_LENGTH = 4 * MAX_ID_TOKEN_LENGTH
const MAX_STATE_LENGTH = 100
const MAX_ERROR_LENGTH = 100

/** The provider's answer. The page that receives it passes it on unchanged. */
export const companyAnswerSchema = z.union([
  z.strictObject({
    idToken: z.string().min(1).max(MAX_SENT_LENGTH),
    state: z.string().min(1).max(MAX_STATE_LENGTH),
  }),
  z.strictObject({
    error: z
      .string()
      .min(1)
      .max(MAX_ERROR_LENGTH)
      .describe('The error code that the provider returned instead of a token.'),
  }),
])

export const companySignInSchema = z
  .object({ name: z.string().nullable().describe('What to call the provider; null: company sign-in is off.') })
  .meta({ id: 'CompanySignIn' })

export const companyRequestSchema = z.object({
  url: z.string().describe('The address at the provider that the browser opens, within 15 minutes.'),
})

const companyIdentitySchema = z
  .object({
    id: z.string(),
    issuer: z.string(),
    isCurrent: z
      .boolean()
      .describe('false: the server is no longer connected to this issuer, so the account cannot be used.'),
    linkedAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: 'CompanyIdentity' })

export const companyIdentitiesSchema = z
  .object({ name: companySignInSchema.shape.name, identities: z.array(companyIdentitySchema) })
  .meta({ id: 'CompanyIdentities' })
export type CompanyIdentities = z.infer<typeof companyIdentitiesSchema>
