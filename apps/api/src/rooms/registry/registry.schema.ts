import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { freeText } from '../../http/hidden-fields.ts'
import { pageOf } from '../../http/pagination.ts'
import { day, line, recordId, region, text } from '../../http/text.ts'
import { pipelineStates } from '../../lib/pipeline-state.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { roundForms, roundStates } from './registry.table.ts'

/** Limits of registry rounds; `docs/limits.md` lists them. */
export const limits = {
  /** days after which a workspace is due for another round */
  days: 30,
  /** days before the end of a registration from which it is a warning */
  warningDays: 30,
  fileValues: 3_000_000,
  fileBytes: 300_000_000,
  fileHours: 24,
  resultLines: 500_000,
  resultBytes: 50_000_000,
  reasonLength: 1_000,
  registrationLength: 100,
} as const

export const registryKinds = ['phone', 'email'] as const
export type RegistryKind = (typeof registryKinds)[number]
const kindsSchema = z.array(z.enum(registryKinds))
export const registryColumns = ['round', 'kind', 'value'] as const
export type RegistryColumn = (typeof registryColumns)[number]
const columnsSchema = z.array(z.enum(registryColumns))
const statesSchema = z.array(z.enum(pipelineStates))
export const readKinds = jsonColumn(kindsSchema)
export const readColumns = jsonColumn(columnsSchema)
export const readStates = jsonColumn(statesSchema)

const isEachOnce = (list: readonly string[]) => new Set(list).size === list.length
const ONCE = 'Name each only once.'

export const roundParams = z.object({ roundId: recordId })

export const startRoundSchema = z.strictObject({
  kinds: kindsSchema.min(1, 'Choose at least one kind of value.').refine(isEachOnce, ONCE),
  form: z
    .enum(roundForms)
    .describe('plain: the values in normalized form. sha256: the hash of the salt of the round and the value'),
  states: statesSchema
    .refine(isEachOnce, ONCE)
    .default([])
    .describe(
      'Only values of prospects in these pipeline states; empty: all. A round of some states does not clean the workspace',
    ),
  columns: columnsSchema
    .refine(isEachOnce, ONCE)
    .refine((list) => list.includes('value'), 'The file needs the column value.')
    .default([...registryColumns])
    .describe('Columns of the file in this order, as your registry asks'),
})
export type StartRound = z.output<typeof startRoundSchema>

export const uploadQuery = z.strictObject({
  phoneRegion: region.optional().describe('The country of numbers in local form; by default South Africa'),
})

export const confirmRoundSchema = z.strictObject({
  resultSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Send the hash of the result that you have seen.')
    .describe('`result.sha256` of the round, so that exactly the seen result is confirmed'),
  phoneRegion: region
    .optional()
    .describe('`result.phoneRegion` of the round, so that a reading of the same file with another country is refused'),
  reason: text(limits.reasonLength),
})
export type ConfirmRound = z.output<typeof confirmRoundSchema>
export const cancelRoundSchema = z.strictObject({ reason: text(limits.reasonLength) })

const fileCountsShape = {
  values: z.int().describe('Different values in the file'),
  leftOut: z.int().describe('Values that are already blocked, about which nothing is asked'),
}
export const storedFileSchema = z.object({
  ...fileCountsShape,
  bytes: z.int(),
  sha256: z.string(),
  valuesSha256: z.string(),
  writtenAt: z.string(),
  expiresAt: z.string(),
  removedAt: z.string().nullable(),
})
export type StoredFile = z.output<typeof storedFileSchema>
export const readFileColumn = jsonColumn(storedFileSchema)

export const resultCountsSchema = z.object({
  lines: z.int(),
  hits: z.int().describe('Values of the workspace that the registry lists and that are not blocked yet'),
  alreadyBlocked: z.int().describe('Values of the workspace that the registry lists and that are blocked already'),
  unknown: z.int().describe('Values that no prospect of the workspace has'),
  clear: z.int().describe('Lines that say, in a column for do not contact, that the value is not listed'),
  unreadable: z.int(),
  repeated: z.int().describe('Lines with a value of an earlier line'),
})
export type ResultCounts = z.output<typeof resultCountsSchema>

export const storedResultSchema = z.object({
  id: z.string(),
  jobId: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  phoneRegion: z.string(),
  receivedAt: z.string(),
  /** null until it is read */
  counts: resultCountsSchema.nullable(),
  hitsSha256: z.string().nullable(),
  readAt: z.string().nullable(),
  /** time at which reading began; null until it is read */
  begunAt: z.string().nullable(),
  refusal: z.string().nullable(),
})
export type StoredResult = z.output<typeof storedResultSchema>
export const readResultColumn = jsonColumn(storedResultSchema)

export const storedConfirmationSchema = z.object({
  jobId: z.string(),
  at: z.string(),
  reason: z.string(),
  isStopped: z.boolean(),
})
export type StoredConfirmation = z.output<typeof storedConfirmationSchema>
export const readConfirmationColumn = jsonColumn(storedConfirmationSchema)

export const outcomeSchema = z.object({
  added: z.int().describe('New entries of the do-not-contact list'),
  alreadyBlocked: z
    .int()
    .describe('Values that were blocked between the preview and the run; the request is in their history'),
  marked: z.int().describe('Prospects that the new entries marked as do not contact'),
})
export type Outcome = z.output<typeof outcomeSchema>
export const readOutcomeColumn = jsonColumn(outcomeSchema)

const heldRegistrationSchema = z.object({ number: z.string(), validUntil: z.string().nullable() })
export const readRegistrationColumn = jsonColumn(heldRegistrationSchema)

export const roundSchema = z
  .object({
    id: z.string(),
    jobId: z.string().describe('The job that writes the file'),
    state: z.enum(roundStates),
    kinds: kindsSchema,
    form: z.enum(roundForms),
    states: statesSchema,
    columns: columnsSchema,
    createdAt: z.string(),
    createdBy: actorRefSchema,
    counts: z.object(fileCountsShape).nullable().describe('null until the file is written'),
    fileSha256: z.string().nullable(),
    file: z
      .object({
        name: z.string(),
        bytes: z.int(),
        writtenAt: z.string(),
        expiresAt: z.string(),
        status: z.enum(['ready', 'expired', 'removed']),
        manifest: z
          .object({ hash: z.enum(['none', 'sha256(salt + value)']), salt: z.string().nullable() })
          .describe(
            'How a line is computed: the value is in normalized form (E.164, or a mailbox in lower case); the salt precedes it',
          ),
      })
      .nullable(),
    result: z
      .object({
        jobId: z.string(),
        bytes: z.int(),
        sha256: z.string(),
        phoneRegion: z.string().describe('The country with which numbers in local form were read'),
        receivedAt: z.string(),
        receivedBy: actorRefSchema,
        status: z.enum(['reading', 'ready', 'refused']),
        refusal: z.string().nullable().describe('Why this file is no result of the round'),
        counts: resultCountsSchema.nullable(),
      })
      .nullable(),
    confirmation: z
      .object({
        jobId: z.string(),
        at: z.string(),
        by: actorRefSchema,
        reason: freeText(),
        isStopped: z
          .boolean()
          .describe('true: the run stopped after a failure. What it added stays; upload the result again to continue'),
      })
      .nullable(),
    outcome: outcomeSchema.nullable(),
    closedAt: z.string().nullable(),
    cancelledAt: z.string().nullable(),
    cancelledBecause: freeText().nullable(),
  })
  .meta({ id: 'RegistryRound' })
export type Round = z.infer<typeof roundSchema>
export const roundPageSchema = pageOf(roundSchema).meta({ id: 'RegistryRoundPage' })

export const registrationInput = z
  .strictObject({
    number: line(limits.registrationLength)
      .nullable()
      .describe('The number under which the organisation is registered'),
    validUntil: day.nullable().describe('The last day on which the registration is valid'),
  })
  .refine(({ number, validUntil }) => (number === null) === (validUntil === null), {
    path: ['validUntil'],
    error: 'Enter the number together with the last day on which it is valid.',
  })
export type RegistrationInput = z.output<typeof registrationInput>
export const registrationSchema = z
  .object({
    number: z.string().nullable(),
    validUntil: z.string().nullable(),
    status: z.enum(['missing', 'valid', 'ends_soon', 'ended']).describe(`ends_soon: within ${limits.warningDays} days`),
    version: z.int(),
  })
  .meta({ id: 'RegistryRegistration' })
export type Registration = z.infer<typeof registrationSchema>

export const stateSchema = z
  .object({
    cleanedAt: z
      .string()
      .nullable()
      .describe('End of the last closed round of all pipeline states; null: none was closed'),
    roundId: z.string().nullable(),
    kinds: kindsSchema.describe('The kinds of values of that round'),
    dueAt: z.string().nullable(),
    isDue: z.boolean().describe('true without a round, after `dueAt`, and while the clock is before the round'),
    unchecked: z.int().describe('Active prospects that were added since the values of that round were read'),
    isUncheckedWhole: z.boolean().describe('false: there are more than `unchecked`'),
    openRound: z.object({ id: z.string(), state: z.enum(roundStates) }).nullable(),
    registration: registrationSchema.pick({ status: true, validUntil: true }),
  })
  .meta({ id: 'RegistryState' })
export type RegistryState = z.infer<typeof stateSchema>

export const businessCheckSchema = z
  .object({
    status: z
      .enum(['checked', 'not_checked'])
      .describe('not_checked: added, or given another contact value of this kind, since the last round with it'),
    cleanedAt: z.string().nullable(),
    isDue: z.boolean(),
    kinds: z.array(z.object({ kind: z.enum(registryKinds), isChecked: z.boolean() })),
  })
  .meta({ id: 'RegistryCheck' })

export const certificateSchema = z
  .object({
    statement: z.object({
      version: z.literal(1),
      workspace: z.object({ id: z.string(), name: z.string() }),
      registration: heldRegistrationSchema.nullable(),
      round: z.object({
        id: z.string(),
        kinds: kindsSchema,
        form: z.enum(roundForms),
        states: statesSchema,
        startedAt: z.string(),
        startedBy: actorRefSchema,
        closedAt: z.string(),
      }),
      file: z.object({ ...fileCountsShape, sha256: z.string(), writtenAt: z.string() }),
      result: z.object({
        sha256: z.string(),
        receivedAt: z.string(),
        receivedBy: actorRefSchema,
        counts: resultCountsSchema,
      }),
      confirmation: z.object({ at: z.string(), by: actorRefSchema, reason: z.string() }),
      outcome: outcomeSchema,
      audit: z.object({
        sequence: z.int().describe('The event that closed the round'),
        hash: z.string(),
        checkpoint: z
          .object({ number: z.int(), sequence: z.int(), signedAt: z.string(), lineSha256: z.string() })
          .nullable()
          .describe('The newest signed checkpoint of the workspace; it covers the event if its sequence is not lower'),
      }),
      issuedAt: z.string(),
    }),
    algorithm: z.literal('Ed25519'),
    publicKey: z.string().describe('PEM. Compare it with the key of the audit that you know from elsewhere'),
    signature: z
      .string()
      .describe(
        'Base64url, over the canonical JSON (RFC 8785) of `["prospect-platform registry certificate", statement]`',
      ),
  })
  .meta({ id: 'RegistryCertificate' })
export type Certificate = z.infer<typeof certificateSchema>
