import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { declaredList, pageOf } from '../../../http/pagination.ts'
import { line, recordId, text } from '../../../http/text.ts'
import { contentSchema } from '../rules/content.schema.ts'
import { versionStates } from '../scoring.table.ts'

/** Limits of rule sets; `docs/limits.md` lists them. */
export const ruleSetLimits = {
  perTenant: 20,
  versions: 1_000,
  nameLength: 100,
  descriptionLength: 1_000,
  reasonLength: 1_000,
  rollbackPlanLength: 2_000,
} as const

const name = line(ruleSetLimits.nameLength)
const description = text(ruleSetLimits.descriptionLength).nullable()

export const createRuleSetSchema = z.strictObject({
  name,
  description: description.default(null),
  ownerId: recordId.optional().describe('An active member; defaults to the creator'),
  template: z.string().max(40).optional().describe('A key of `GET /scoring/templates`, for its first version'),
})
export type CreateRuleSet = z.output<typeof createRuleSetSchema>

export const editRuleSetSchema = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  ownerId: recordId.optional(),
})
export type EditRuleSet = z.output<typeof editRuleSetSchema>

export const ruleSetSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    name: freeText(),
    description: freeText().nullable(),
    owner: personRefSchema,
    newestVersion: z.int().describe('The number of its newest version'),
    newestState: z.enum(versionStates).describe('The state of its newest version'),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    updatedAt: z.string(),
  })
  .meta({ id: 'ScoringRuleSet' })
export type RuleSet = z.infer<typeof ruleSetSchema>
export const ruleSetPageSchema = pageOf(ruleSetSchema).meta({ id: 'ScoringRuleSetPage' })

export const ruleSetParams = z.object({ ruleSetId: recordId })
export const versionParams = z.object({ ruleSetId: recordId, version: recordId.describe('The number of the version') })

export const createVersionSchema = z.strictObject({
  basedOn: z.int().min(1).optional().describe('The number of a version whose content is copied'),
  template: z.string().max(40).optional(),
})
export type CreateVersion = z.output<typeof createVersionSchema>

export const editVersionSchema = z.strictObject({
  content: contentSchema.optional(),
  rollbackPlan: text(ruleSetLimits.rollbackPlanLength).nullable().optional(),
})
export type EditVersion = z.output<typeof editVersionSchema>

export const reasonSchema = z.strictObject({ reason: text(ruleSetLimits.reasonLength) })
export const approvalSchema = z.strictObject({
  contentHash: z.string().max(64).describe('Hash of the content that the approver saw'),
  previewId: recordId.describe('The full preview that the approver saw'),
  reason: text(ruleSetLimits.reasonLength),
})
export type Approval = z.output<typeof approvalSchema>

const fieldProblem = z.object({ path: z.string(), code: z.string(), message: z.string() })

const versionShape = {
  ruleSetId: z.string(),
  version: z.int().describe('The number of the version in its rule set'),
  edit: z.int().describe('Counts changes of the row; returned as the ETag'),
  state: z.enum(versionStates),
  basedOn: z.int().nullable(),
  template: z.string().nullable(),
  contentHash: z.string().describe('SHA-256 of the content in canonical JSON'),
  editors: z.array(personRefSchema).describe('Everybody who edited the content; none of them may approve it'),
  submittedAt: z.string().nullable(),
  submittedBy: actorRefSchema.nullable(),
  approvedAt: z.string().nullable(),
  approvedBy: actorRefSchema.nullable(),
  approvalReason: freeText().nullable(),
  rejectedAt: z.string().nullable(),
  rejectedBy: actorRefSchema.nullable(),
  rejectionReason: freeText().nullable(),
  retiredAt: z.string().nullable(),
  retiredBy: actorRefSchema.nullable(),
  retirementReason: freeText().nullable(),
  previewId: z.string().nullable().describe('The full preview with which it was submitted'),
  rollbackPlan: freeText().nullable(),
  createdAt: z.string(),
  createdBy: actorRefSchema,
  updatedAt: z.string(),
}
export const versionSummarySchema = z.object(versionShape).meta({ id: 'ScoringVersionSummary' })
export type VersionSummary = z.infer<typeof versionSummarySchema>
export const versionPageSchema = pageOf(versionSummarySchema).meta({ id: 'ScoringVersionPage' })

export const versionSchema = z
  .object({
    ...versionShape,
    content: contentSchema,
    words: z.record(z.string(), freeText()).describe('Each rule and gate as a sentence, by its id'),
    problems: z.array(fieldProblem).describe('Errors that prevent evaluation and submission'),
    warnings: z.array(fieldProblem).describe('Hints that prevent nothing'),
    currentPreviewId: z
      .string()
      .nullable()
      .describe('The newest full preview of exactly this content, whether it has ended or not; null: none is stored'),
    approvers: z.array(personRefSchema).describe('The people who may approve this version'),
    tenant: z.object({ id: z.string(), name: z.string() }).describe('The workspace that the rules apply to'),
  })
  .meta({ id: 'ScoringVersion' })
export type Version = z.infer<typeof versionSchema>

export const signalsSchema = z
  .object({
    items: declaredList(
      z
        .object({
          key: z.string(),
          title: z.string(),
          type: z.enum(['choice', 'text', 'list', 'number', 'flag']),
          operators: z.array(z.string()),
          choices: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
          datedBy: z.string().nullable().describe('The date that determines the age of the value; null: it has no age'),
          restsOnEvidence: z.boolean().describe('Evidence can contradict it, and a rule may ask for its confidence'),
          available: z.boolean(),
          reason: z.string().nullable().describe('Why a signal is not available'),
        })
        .meta({ id: 'ScoringSignal' }),
    ),
  })
  .meta({ id: 'ScoringSignals' })

export const templatesSchema = z
  .object({
    items: declaredList(
      z
        .object({ key: z.string(), title: z.string(), description: z.string(), content: contentSchema })
        .meta({ id: 'ScoringTemplate' }),
    ),
  })
  .meta({ id: 'ScoringTemplates' })
