import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import {
  aboutBusiness,
  contactValue,
  freeText,
  hashOfValues,
  hiddenWithObject,
  hidesItsObject,
} from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { recordId, text } from '../../../http/text.ts'
import { auditEventSchema } from '../../audit/audit.ts'
import { domainReasons } from '../../normalization/normalization.ts'
import { bands, candidateStates } from '../domains.table.ts'

/** Limits of candidates; `docs/limits.md` lists them. */
export const candidateLimits = { reasonLength: 1_000, valueLength: 1_000, named: 5 } as const

export const flagNames = [
  'shared',
  'parked',
  'wildcard',
  'homograph',
  'siblingSubdomain',
  'conflictingEvidence',
] as const
export type FlagName = (typeof flagNames)[number]

const flagSchema = z
  .object({
    value: z.enum(['yes', 'likely', 'no', 'unknown']).describe('likely: as many prospects use it'),
    reason: freeText(),
  })
  .meta({ id: 'DomainCandidateFlag' })
export type Flag = z.infer<typeof flagSchema>
export type Flags = Record<FlagName, Flag>

const itemSchema = z
  .object({
    code: z.enum(['claim', 'email_domain', 'name', 'person', 'mx', 'other_record', 'other_mail', 'other_association']),
    text: freeText(),
    at: z.string().nullable(),
    evidenceId: z.string().nullable(),
    businessId: z.string().nullable(),
  })
  .meta({ id: 'DomainCandidateEvidence' })
export type Item = z.infer<typeof itemSchema>

/** Schema of an evaluation, which is stored with the candidate's state. */
export const evaluationSchema = z.object({
  evidence: z.object({ for: z.array(itemSchema), against: z.array(itemSchema) }),
  flags: z.object({
    shared: flagSchema,
    parked: flagSchema,
    wildcard: flagSchema,
    homograph: flagSchema,
    siblingSubdomain: flagSchema,
    conflictingEvidence: flagSchema,
  }),
  freshness: z.object({
    newestEvidenceAt: z.string().nullable(),
    dns: z.enum(['fresh', 'stale', 'not_checked']),
  }),
  uncertainty: z.array(
    z.enum(['private_suffix', 'unknown_suffix', 'dns_not_checked', 'dns_stale', 'claim_stale', 'name_alone']),
  ),
  doNotContact: z.boolean().describe('The business, or a suppression that matches the domain'),
})
export type Evaluation = z.infer<typeof evaluationSchema>
export const readEvaluation = (text: string): Evaluation => evaluationSchema.parse(JSON.parse(text))

/** Schema of known domains that look similar to a domain; it can be told from them. */
export const lookalikesSchema = hiddenWithObject(
  z.array(
    z.object({
      domain: contactValue('domain', z.string(), { ofRecords: true }),
      grade: z.enum(['foreign_letters', 'similar_letters']),
    }),
  ),
  { instead: [] },
)

const candidateShape = {
  id: z.string(),
  domain: hidesItsObject(contactValue('domain', z.string(), { ofRecords: true })).describe(
    '••• for readers who may not see values of a do not contact business',
  ),
  host: contactValue('domain', z.string(), { ofRecords: true })
    .nullable()
    .describe(
      'The host as it was typed, or as the evidence that opened the candidate states it; null: a name alone, or not stored',
    ),
  business: aboutBusiness(
    z.object({
      id: z.string(),
      name: z.string(),
      status: z.enum(['active', 'merged', 'inactive']),
      doNotContact: z.boolean(),
    }),
    'id',
  ),
  origin: z.enum(['derived', 'person']),
  state: z.enum(candidateStates),
  band: z.enum(bands).describe('How well the evidence supports it. A suggestion only'),
  doNotContact: z.boolean(),
  previousCandidateId: z.string().nullable().describe('A candidate that was decided before its evidence changed'),
  createdAt: z.string(),
}

export const candidateSummarySchema = z
  .object({ ...candidateShape, flags: z.array(z.enum(flagNames)).describe('Those that are yes or likely') })
  .meta({ id: 'DomainCandidateSummary' })
export type CandidateSummary = z.infer<typeof candidateSummarySchema>
export const candidatePageSchema = pageOf(candidateSummarySchema).meta({ id: 'DomainCandidatePage' })

export const candidateSchema = z
  .object({
    ...candidateShape,
    ...evaluationSchema.shape,
    reason: freeText().nullable().describe('That of the person who proposed it'),
    createdBy: actorRefSchema,
    algorithmVersion: z.string(),
    normalizationVersion: z.string(),
    suffixListVersion: z.string(),
    currentSuffixList: z
      .object({
        version: z.string(),
        domain: contactValue('domain', z.string(), { ofRecords: true }).nullable(),
        reason: z.enum(domainReasons).nullable(),
        isSame: z.boolean(),
      })
      .describe('What the present list says of the domain'),
    evaluatedAt: z.string(),
    isCurrent: z
      .boolean()
      .describe('false: newer changes of prospects are not counted yet, so what they could contradict is unknown'),
    fingerprint: hashOfValues(),
    otherBusinesses: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe('Those that the evidence against it refers to'),
    lookalikes: lookalikesSchema.describe('Known domains that look like it'),
    wouldMark: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe('The records that accepting it would make do not contact'),
    decision: z
      .object({ decision: z.enum(['accept', 'reject']), at: z.string(), by: actorRefSchema, reason: freeText() })
      .nullable(),
    withdrawal: z.object({ at: z.string(), by: actorRefSchema, reason: freeText() }).nullable(),
  })
  .meta({ id: 'DomainCandidate', description: 'That a domain may belong to a business. A person decides it.' })
export type Candidate = z.infer<typeof candidateSchema>

export const candidatesQuery = z.strictObject({
  ...pageQuery,
  state: z.enum(candidateStates).default('open'),
  domain: z.string().max(candidateLimits.valueLength).optional(),
  businessId: recordId.optional(),
})
export type CandidatesQuery = z.output<typeof candidatesQuery>

export const proposeSchema = z.strictObject({
  domain: z.string().max(candidateLimits.valueLength),
  businessId: recordId,
  reason: text(candidateLimits.reasonLength),
})
export type Proposal = z.output<typeof proposeSchema>

export const decisionSchema = z
  .strictObject({
    decision: z.enum(['accept', 'reject']),
    reason: text(candidateLimits.reasonLength),
    fingerprint: z
      .string()
      .regex(/^[0-9a-f]{16}(?:\.[0-9a-f]{16}){3}$/, 'Send the fingerprint of the candidate as it was shown.')
      .describe('That of the candidate as it was shown'),
    addToRecord: z.boolean().optional().describe('With accept: adds the domain to the record as well'),
  })
  .refine(({ decision, addToRecord }) => decision === 'accept' || addToRecord !== true, {
    path: ['addToRecord'],
    error: 'Only an accepted domain can be added to the record.',
  })
export type Decision = z.output<typeof decisionSchema>

export const withdrawalSchema = z.strictObject({ reason: text(candidateLimits.reasonLength) })

export const decidedSchema = z
  .object({ candidate: candidateSchema, event: auditEventSchema.describe('As it was read back') })
  .meta({ id: 'DecidedDomainCandidate' })

export const candidateParams = z.strictObject({ candidateId: recordId })
