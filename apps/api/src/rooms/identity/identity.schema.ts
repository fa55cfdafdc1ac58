import { z } from 'zod'
import { personRefSchema } from '../../http/actor-ref.ts'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { line, recordId } from '../../http/text.ts'
import { accountEmail } from './email.ts'
import { roles } from './permissions.ts'

/** Longer than any account's: what is wrong beyond that is simply not right. */
const MAX_TYPED_LENGTH = 1_024
const MAX_NAME_LENGTH = 200

const roleSchema = z.enum(roles).meta({ id: 'Role' })

export const signInSchema = z.strictObject({
  email: z.string().min(1, 'Enter your e-mail address.').max(MAX_TYPED_LENGTH),
  password: z.string().min(1, 'Enter your password.').max(MAX_TYPED_LENGTH),
})

export const switchTenantSchema = z.strictObject({ tenantId: recordId })

export const sessionSchema = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    tenant: z.object({ id: z.string(), name: z.string(), timeZone: z.string() }),
    tenants: z.array(z.object({ id: z.string(), name: z.string(), role: roleSchema })),
    role: roleSchema,
    permissions: z.array(z.string()),
    csrfToken: z.string().describe('Every request that changes something carries it as X-CSRF-Token.'),
    assurance: z.literal('password'),
    idleExpiresAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof sessionSchema>

/** No body at all. */
export const signedOutSchema = z.null().describe('The session has ended.')

export const roleMatrixSchema = z
  .object({ roles: z.array(z.object({ role: roleSchema, permissions: z.array(z.string()) })) })
  .meta({ id: 'RoleMatrix' })

export const listAssigneesQuery = z.strictObject(pageQuery)
export const assigneePageSchema = pageOf(personRefSchema).meta({ id: 'AssigneePage' })

const timeZone = z.string().refine(isTimeZone, 'Write an IANA time zone, such as Africa/Johannesburg.')

export const newTenantSchema = z.strictObject({ name: line(MAX_NAME_LENGTH), timeZone })
export type NewTenant = z.input<typeof newTenantSchema>

export const newUserSchema = z.strictObject({ email: accountEmail, name: line(MAX_NAME_LENGTH), role: z.enum(roles) })
export type NewUser = z.input<typeof newUserSchema>

/** A place's zone with its rules; a bare offset such as +02:00 has none. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}
