import { z } from 'zod'
import { personRefSchema } from '../../http/actor-ref.ts'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { holds } from '../../http/session-guard.ts'
import { line, recordId, region } from '../../http/text.ts'
import { roles } from '../define-facts.ts'
import { permissionNames } from '../facts.ts'
import { accountEmail } from './accounts/email.ts'
import { assertionSchema } from './accounts/passkeys.schema.ts'
import { MAX_TYPED_LENGTH, typedCode, typedPassword } from './accounts/password.schema.ts'

const MAX_NAME_LENGTH = 200

export const roleSchema = z.enum(roles).meta({ id: 'Role' })

export const signInSchema = z.strictObject({
  email: z.string().min(1, 'Enter your email address.').max(MAX_TYPED_LENGTH),
  password: typedPassword('Enter your password.'),
  code: typedCode
    .describe('Six digits, or a recovery code, if the account is known to require a second factor.')
    .optional(),
})

/** One proof of identity: the second factor after sign-in, or the proof that a dangerous action requires. */
export const proofSchema = z.union([
  z.strictObject({ code: typedCode }),
  z.strictObject({ recoveryCode: typedCode }),
  z.strictObject({ passkey: assertionSchema }),
  z.strictObject({ password: typedPassword('Enter your password.') }),
])
export type Proof = z.infer<typeof proofSchema>

export const passkeySignInSchema = z.strictObject({ passkey: assertionSchema })

export const changePasswordSchema = z.strictObject({
  currentPassword: typedPassword('Enter your current password.'),
  newPassword: typedPassword('Choose a new password.'),
})

export const switchTenantSchema = z.strictObject({ tenantId: recordId })

export const permissionSchema = z.enum(permissionNames).meta({ id: 'Permission' })

/** Supported formats of dates and numbers. All are English, because the words of the app are; the region decides the format. */
export const localeSchema = z
  .enum([
    ...(['en-AU', 'en-BW', 'en-DE', 'en-GB', 'en-IE', 'en-IN', 'en-KE'] as const),
    ...(['en-NA', 'en-NG', 'en-NL', 'en-NZ', 'en-US', 'en-ZA'] as const),
  ])
  .describe('BCP 47. Format of dates and numbers in the app; values in requests and answers do not depend on it.')
  .meta({ id: 'Locale' })
export type Locale = z.infer<typeof localeSchema>

/** Returns the locale of the country, or that of South Africa if the country has none. */
export function localeOfCountry(country: string): Locale {
  return localeSchema.safeParse(`en-${country}`).data ?? 'en-ZA'
}

/** Kinds of proof by which a session is described to its person, from the weakest to the strongest. */
export const assuranceSchema = z.enum(['password', 'company', 'mfa'])

export const sessionSchema = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    tenant: z.object({
      id: z.string(),
      name: z.string(),
      timeZone: z.string(),
      country: z.string(),
      locale: localeSchema,
    }),
    tenants: z.array(z.object({ id: z.string(), name: z.string(), role: roleSchema })),
    role: roleSchema,
    permissions: z.array(permissionSchema),
    csrfToken: z.string().describe('Send it as X-CSRF-Token with every request that changes something.'),
    sessionId: z.string(),
    assurance: assuranceSchema.describe(
      'The strongest proof that the person gave here: a password, a company account, or a second factor.',
    ),
    hold: z
      .enum(holds)
      .nullable()
      .describe('The step that the session must complete first; until then other routes return 403.'),
    mustChangePassword: z.boolean(),
    secondFactor: z.object({
      enrolled: z.boolean(),
      required: z.boolean(),
      methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
      verifiedAt: z.string().nullable(),
    }),
    stepUp: z
      .object({ method: z.enum(['second_factor', 'password']), freshUntil: z.string().nullable() })
      .describe('The proof that dangerous actions require, and until when it is fresh; null: it is not fresh now.'),
    idleExpiresAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof sessionSchema>

/** Schema of a response without a body. */
export const nothingSchema = z.null().describe('Done; the response has no body.')
export const noInputSchema = z.strictObject({})

export const roleMatrixSchema = z
  .object({
    roles: z
      .array(
        z.object({
          role: roleSchema,
          label: z.string(),
          description: z.string(),
          permissions: z.array(permissionSchema),
        }),
      )
      .describe('From the most to the least powerful powerful'),
    permissions: z
      .array(z.object({ permission: permissionSchema, label: z.string() }))
      .describe('Labels of all permissions'),
  })
  .meta({ id: 'RoleMatrix' })
export type RoleMatrix = z.infer<typeof roleMatrixSchema>

export const listAssigneesQuery = z.strictObject(pageQuery)
export const assigneePageSchema = pageOf(personRefSchema).meta({ id: 'AssigneePage' })

export const timeZone = z.string().refine(isTimeZone, 'Enter an IANA time zone, such as Africa/Johannesburg.')

export const personName = line(MAX_NAME_LENGTH)
/** Country of a tenant that was created without one. */
export const DEFAULT_COUNTRY = 'ZA'
const country = region.describe(
  'ISO 3166 alpha-2. Forms preset it for phone numbers in local form and send it as their `region`; the API itself assumes no country.',
)

export const newTenantSchema = z.strictObject({
  name: line(MAX_NAME_LENGTH),
  timeZone,
  country: country.optional(),
  locale: localeSchema.optional(),
})
/** Longest review term in months (ten years). For a longer term use null, which means never. */
const MAX_REVIEW_MONTHS = 120

export const editTenantSchema = newTenantSchema.partial().extend({
  suppressionReviewMonths: z
    .int()
    .min(1)
    .max(MAX_REVIEW_MONTHS)
    .nullable()
    .optional()
    .describe(
      'Months after which a suppression entry is due for review; null: never. A review does not remove the entry.',
    ),
  tokensAllowed: z
    .boolean()
    .optional()
    .describe('false: no request with an access token is accepted. Tokens stay, and work again when this is true.'),
})
export type EditTenant = z.output<typeof editTenantSchema>
export const tenantSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    name: z.string(),
    timeZone: z.string(),
    country: z.string(),
    locale: localeSchema,
    suppressionReviewMonths: z.int().nullable(),
    tokensAllowed: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Tenant' })
export type Tenant = z.infer<typeof tenantSchema>
export type NewTenant = z.input<typeof newTenantSchema>

export const newUserSchema = z.strictObject({ email: accountEmail, name: personName, role: z.enum(roles) })
export type NewUser = z.input<typeof newUserSchema>

/** True for a named time zone, which has daylight saving rules. False for a bare offset such as +02:00, which has none. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}
