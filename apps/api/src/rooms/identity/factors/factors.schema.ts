import { z } from 'zod'
import { line } from '../../../http/text.ts'
import { attestationSchema } from '../accounts/passkeys.schema.ts'
import { typedCode } from '../accounts/password.schema.ts'

const MAX_PASSKEY_NAME_LENGTH = 100

const recoveryCodes = z.array(z.string())

const passkeySchema = z
  .object({ id: z.string(), name: z.string(), createdAt: z.string(), lastUsedAt: z.string().nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkeySchema>

export const factorsSchema = z
  .object({
    required: z.boolean().describe('The role requires a second factor here.'),
    totp: z.object({ enrolledAt: z.string() }).nullable(),
    passkeys: z.array(passkeySchema),
    recoveryCodesLeft: z.int(),
  })
  .meta({ id: 'Factors', description: 'The second factors of the signed-in person.' })
export type Factors = z.infer<typeof factorsSchema>

export const enrolmentSchema = z
  .object({ secret: z.string(), otpauthUri: z.string(), expiresAt: z.string() })
  .meta({ id: 'Enrolment', description: 'Shown once, to add to an authenticator app and confirm by a code.' })
export type Enrolment = z.infer<typeof enrolmentSchema>

export const confirmEnrolmentSchema = z.strictObject({ code: typedCode })

export const enrolledSchema = z.object({
  recoveryCodes: recoveryCodes.nullable().describe('Shown once; null: the existing codes stay valid.'),
})

export const recoveryCodesSchema = z.object({
  recoveryCodes: recoveryCodes.describe('Shown once; older codes become invalid.'),
})

export const addPasskeySchema = z.strictObject({ name: line(MAX_PASSKEY_NAME_LENGTH), passkey: attestationSchema })
export const addedPasskeySchema = z.object({ passkey: passkeySchema, recoveryCodes: recoveryCodes.nullable() })
