import { dnsRecordSchema, MAX_DNS_ALIASES, MAX_DNS_RECORDS } from '@prospect/adapter-contract/dns'
import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { contactValue, hidesItsObject } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { instant, line, text } from '../../../http/text.ts'
import { dnsKinds, dnsReasons, dnsStatuses, recordedStatuses } from '../domains.table.ts'

/** Limits of observations; `docs/limits.md` lists them. */
export const dnsLimits = {
  nameLength: 1_000,
  sourceLength: 200,
  pastedBytes: 16 * 1024,
  cards: 20,
  unreadLines: 20,
} as const

const MAX_TTL = 2 ** 32 - 1
const kindSchema = z.enum(dnsKinds).meta({ id: 'DnsKind' })
const statusSchema = z.enum(dnsStatuses).meta({ id: 'DnsStatus' })
const reasonSchema = z.enum(dnsReasons).meta({ id: 'DnsReason', description: 'Which policy blocked, or which error.' })
export const recordsSchema = z.array(dnsRecordSchema).max(MAX_DNS_RECORDS)
const aliasesSchema = z.array(line(1_024)).max(MAX_DNS_ALIASES)

const pastedText = text(dnsLimits.pastedBytes).refine(
  (value) => Buffer.byteLength(value) <= dnsLimits.pastedBytes,
  'At most 16 KiB.',
)

export const recordObservationSchema = z
  .strictObject({
    name: z.string().max(dnsLimits.nameLength),
    kind: kindSchema,
    status: z.enum(recordedStatuses),
    records: recordsSchema.default([]),
    source: line(dnsLimits.sourceLength).describe('The resolver that answered, or where the answer was read'),
    observedAt: instant,
    ttl: z
      .int()
      .min(0)
      .max(MAX_TTL)
      .nullish()
      .describe('Seconds; of a negative answer that of its SOA record. A value from 2³¹ counts as 0'),
    aliases: aliasesSchema.default([]),
    isTruncated: z.boolean().default(false),
    isPartial: z
      .boolean()
      .default(false)
      .describe(
        'True if more records may exist: the answer was not read whole. A truncated answer with records is partial',
      ),
    errorReason: reasonSchema.nullish(),
    raw: pastedText.nullish().describe('The pasted text, deleted after the retention class of manual references'),
  })
  .check((context) => {
    const { kind, status, records, errorReason, isTruncated, isPartial } = context.value
    const refuse = (path: string, code: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, params: { code }, input: context.value })
    if ((status === 'resolved') !== records.length > 0)
      refuse('records', 'status_differs', 'Only a resolved question has records, and it has at least one.')
    if (records.some((record) => record.kind !== kind))
      refuse('records', 'other_kind', `Record ${kind} records alone; other kinds are observations of their own.`)
    const needsReason = status === 'blocked' || status === 'error'
    if (needsReason !== (errorReason != null))
      refuse('errorReason', 'status_differs', 'A blocked or failed question names its reason, and no other one does.')
    if (isTruncated && status !== 'resolved' && status !== 'error')
      refuse('isTruncated', 'status_differs', 'A truncated answer without records is an error.')
    if (isPartial && status !== 'resolved')
      refuse('isPartial', 'status_differs', 'An answer that was not read whole and has no records is an error.')
  })
export type RecordObservation = z.output<typeof recordObservationSchema>

const freshnessSchema = z
  .object({ state: z.enum(['fresh', 'stale']), until: z.string() })
  .describe('Until when the answer is fresh, or since when it is stale')

/** An observation about one domain can name another: the host of a mail exchange or name server, an alias, or an address in a TXT record. */
const ofRecords = { ofRecords: true } as const

export const observationSchema = z
  .object({
    id: z.string(),
    name: contactValue('domain', z.string(), ofRecords),
    domain: hidesItsObject(contactValue('domain', z.string(), ofRecords)).describe('The domain that somebody holds'),
    kind: kindSchema,
    status: statusSchema,
    records: contactValue('domain', recordsSchema, { ...ofRecords, instead: [] }),
    resolver: contactValue('domain', z.string(), ofRecords).nullable(),
    origin: z.enum(['operator', 'adapter']),
    observedAt: z.string().nullable(),
    ttl: z.int().nullable(),
    freshness: freshnessSchema.nullable(),
    aliases: contactValue('domain', z.array(z.string()), { ...ofRecords, instead: [] }),
    isTruncated: z.boolean(),
    isPartial: z.boolean(),
    uncertainty: z.array(z.enum(['operator_supplied', 'partial', 'stale', 'no_ttl', 'other_suffix_list'])),
    errorReason: reasonSchema.nullable(),
    policyVersion: z.string(),
    normalizationVersion: z.string(),
    suffixListVersion: z.string(),
    rawState: z.enum(['none', 'kept', 'deleted']).describe('What became of the pasted text'),
    doNotContact: z.boolean().describe('A suppression matches the domain'),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'DnsObservation', description: 'What one question showed, and when. It says nothing about a business.' })
export type Observation = z.infer<typeof observationSchema>

export const observationPageSchema = pageOf(observationSchema).meta({ id: 'DnsObservationPage' })

export const observationsQuery = z.strictObject({
  ...pageQuery,
  domain: z.string().max(dnsLimits.nameLength).optional().describe('A domain with all names below it'),
  name: z.string().max(dnsLimits.nameLength).optional().describe('Exactly this name'),
  kind: kindSchema.optional(),
  status: z.enum(['pending', ...recordedStatuses]).optional(),
})
export type ObservationsQuery = z.output<typeof observationsQuery>

export const readingsSchema = z.strictObject({ text: z.string() })

const doubtCodes = [
  'other_form',
  'no_header',
  'no_question',
  'no_resolver',
  'no_time',
  'unknown_zone',
  'unknown_status',
  'unread_line',
  'other_kind',
  'unresolved_name',
  'no_ttl',
  'incomplete',
  'mismatched',
  'referral',
  'truncated',
  'too_many_records',
] as const

/** Kinds of answers that are read and not recorded (specification, Phase 7 §3 records MX, NS and TXT). */
export const readOnlyKinds = ['A', 'AAAA', 'CNAME'] as const
export type ReadOnlyKind = (typeof readOnlyKinds)[number]

const readOnlyAnswerSchema = z
  .object({
    kind: z.enum(readOnlyKinds),
    status: z.enum(recordedStatuses).nullable(),
    records: z.array(z.object({ value: z.string(), ttl: z.int() })).max(MAX_DNS_RECORDS),
    aliases: z.array(z.string()),
    isPartial: z.boolean(),
    errorReason: reasonSchema.nullable(),
  })
  .meta({ id: 'DnsReadOnlyAnswer', description: 'Addresses or the alias of a name: shown, and never recorded.' })
export type ReadOnlyAnswer = z.infer<typeof readOnlyAnswerSchema>

export const cardSchema = z
  .object({
    observation: z.object({
      name: z.string(),
      kind: kindSchema.nullable(),
      status: z.enum(recordedStatuses).nullable(),
      records: recordsSchema,
      source: z.string().nullable(),
      observedAt: z.string().nullable(),
      ttl: z.int().nullable(),
      aliases: z.array(z.string()),
      isTruncated: z.boolean(),
      isPartial: z.boolean().describe('There are records, and more may exist'),
      errorReason: reasonSchema.nullable(),
    }),
    readOnly: readOnlyAnswerSchema
      .nullable()
      .describe('The answer to a question for A, AAAA or CNAME; null: another one'),
    lines: z.object({ from: z.int(), to: z.int() }).describe('Of the pasted text, from 1'),
    doubts: z.array(
      z.object({ line: z.int(), code: z.enum(doubtCodes), message: z.string() }).meta({ id: 'DnsDoubt' }),
    ),
  })
  .meta({ id: 'DnsCard', description: 'One question of a pasted text, to be corrected and recorded by a person.' })
export type Card = z.infer<typeof cardSchema>
export type Doubt = Card['doubts'][number]

export const readAnswerSchema = z
  .object({ cards: z.array(cardSchema), doubts: cardSchema.shape.doubts.describe('About the whole text') })
  .meta({ id: 'DnsReading' })
export type Reading = z.infer<typeof readAnswerSchema>

export const checkSchema = z.strictObject({
  name: z.string().max(dnsLimits.nameLength),
  kinds: z
    .array(kindSchema)
    .min(1, 'Choose a kind of record.')
    .max(dnsKinds.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'Choose each kind once.'),
})
export type CheckRequest = z.output<typeof checkSchema>

export const checkAnswerSchema = z
  .object({
    outcome: z.enum(['answered', 'deferred', 'unavailable']),
    reason: z.string().nullable().describe('Why nothing is asked'),
    until: z.string().nullable().describe('When it may be asked again, if deferred'),
    detail: z.string().nullable().describe('What the contract of the source does not permit, in sentences'),
    observations: z.array(
      z.object({
        observation: observationSchema,
        isCached: z.boolean().describe('An earlier answer that is still fresh: nothing was asked'),
        ageSeconds: z.int(),
      }),
    ),
  })
  .meta({ id: 'DnsCheck' })
export type Check = z.infer<typeof checkAnswerSchema>
