import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { declaredList, pageOf, pageQuery } from '../../../http/pagination.ts'
import { calendarDay, day, instant, line, recordId } from '../../../http/text.ts'
import { factFields } from '../../businesses/businesses.ts'
import { channelSchema, jurisdictionSchema, reasonText } from '../content/content.schema.ts'
import { mergeFieldNames } from '../content/merge-fields.rules.ts'
import { basisKinds, channels, policyStates } from '../drafts.table.ts'
import { limits } from '../limits.ts'

/** The uncertainty that a policy may let people acknowledge. Contradicted evidence is never one of them. */
const uncertainties = ['low_confidence'] as const

/** Days that a proposed policy has if it does not name them. A policy that was approved before the check existed requires no round. */
const DEFAULT_REGISTRY_DAYS = 30

const cap = (most: number) => z.int().min(1).max(most)
const days = z.int().min(1).max(limits.freshnessDays)

const basisForm = z.enum(['known', 'any'])

const registryDays = z.int().min(1).max(limits.registryDays).nullable()

const contentShape = {
  legalBases: z.array(z.enum(basisKinds)).min(1).max(basisKinds.length).describe('The legal bases that it accepts'),
  basisForm: basisForm
    .default('any')
    .describe(
      'known: a legal basis from before forms were recorded is not accepted, because nobody stated how they gave it',
    ),
  requiredFields: z
    .array(z.enum(mergeFieldNames))
    .max(mergeFieldNames.length)
    .describe('Merge fields that every text must contain'),
  freshnessDays: z
    .partialRecord(z.enum([...factFields, 'other']), days)
    .refine((all) => all.other !== undefined, {
      path: ['other'],
      error: 'Enter how old all other evidence may be.',
    })
    .describe('How old cited evidence may be, by field; other: every field without a window, and observations'),
  acknowledgeable: z.array(z.enum(uncertainties)).max(uncertainties.length),
  caps: z
    .strictObject({
      recipient: cap(limits.copiesToRecipient).default(limits.copiesToRecipient),
      person: cap(limits.copiesOfPerson).default(limits.copiesOfPerson),
      tenant: cap(limits.copiesOfTenant).default(limits.copiesOfTenant),
    })
    .describe('Copies to one recipient in 30 days, and by one person and in the workspace in 24 hours'),
  contactHours: z
    .enum(['warn', 'refuse'])
    .default('warn')
    .describe('Whether a copy is refused unless contact is allowed at this time; letters have no hours'),
  registryDays: registryDays
    .default(null)
    .describe(
      'How old the last registry round may be for a copy, counted from the reading of its values; null: none is required',
    ),
  sources: z
    .array(freeText(line(limits.policySourceLength)))
    .max(limits.policySources)
    .default([])
    .describe('The rules that it follows, each with where it was read; as your lawyer advises'),
  reviewBy: calendarDay
    .nullable()
    .default(null)
    .describe('The last day by which somebody must compare the sources with the law; null: none is set'),
  optOutText: freeText(line(limits.optOutLength)).nullable().default(null).describe('The text of sender.optOut'),
}

export const policyContentSchema = z.object(contentShape)
export type PolicyContent = z.output<typeof policyContentSchema>

export const proposePolicySchema = z.strictObject({
  jurisdiction: jurisdictionSchema,
  channel: channelSchema,
  ...contentShape,
  registryDays: registryDays
    .default(DEFAULT_REGISTRY_DAYS)
    .describe('How old the last registry round may be for a copy; null: none is required'),
  basisForm: basisForm.default('known').describe('Whether the form of a legal basis must be known'),
  reviewBy: day
    .nullable()
    .default(null)
    .describe('The last day by which somebody must compare the sources with the law'),
  ownerId: recordId,
  endsAt: instant,
})
export type ProposePolicy = z.output<typeof proposePolicySchema>

const decisionSchema = z.object({ by: actorRefSchema, at: z.string(), reason: freeText() })

export const policySchema = z
  .object({
    id: z.string(),
    version: z.int(),
    name: z.string().describe('Jurisdiction, channel and version: za/email/1'),
    jurisdiction: z.string(),
    channel: channelSchema,
    ...contentShape,
    owner: personRefSchema,
    endsAt: z.string(),
    state: z.enum(policyStates),
    proposedAt: z.string(),
    proposedBy: actorRefSchema,
    decision: decisionSchema.nullable().describe('The last approval, rejection or withdrawal'),
    mayDecide: z.boolean().describe('The reader may approve it: it waits, and another person proposed it'),
  })
  .meta({ id: 'DraftPolicy' })
export type Policy = z.infer<typeof policySchema>

export const policyPageSchema = pageOf(policySchema).meta({ id: 'DraftPolicyPage' })
export const listPoliciesQuery = z.strictObject({
  state: z.enum(policyStates).optional(),
  jurisdiction: jurisdictionSchema.optional(),
  ...pageQuery,
})
export type ListPolicies = z.output<typeof listPoliciesQuery>
export const policyParams = z.object({ policyId: recordId })

export const decidePolicySchema = z.strictObject({ reason: reasonText })

const policyProposalSchema = z
  .object({
    jurisdiction: z.string(),
    channel: z.enum(channels),
    label: z.string(),
    notes: z.array(z.string()),
    ...contentShape,
  })
  .meta({ id: 'DraftPolicyProposal', description: 'Contents to begin a policy with. Not legal advice.' })
export const policyProposalsSchema = z.object({ items: declaredList(policyProposalSchema) })
