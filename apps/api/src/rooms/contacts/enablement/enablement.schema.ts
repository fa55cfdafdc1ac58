import { z } from 'zod'
import { freeText } from '../../../http/hidden-fields.ts'
import { instant, text } from '../../../http/text.ts'
import { boundNames, defaultLimits, enablementDays, policyBounds, retentionChoices } from '../bounds.ts'
import { enablementStates } from '../contacts.table.ts'
import { extractionReasons } from '../reasons.ts'

const reasonLength = 1_000

const checklistKeys = [
  'tenant_scope',
  'official_site',
  'versions',
  'retention_class',
  'suppression_gate',
  'hard_limits',
] as const

const checklistItemSchema = z
  .object({
    key: z.enum(checklistKeys),
    isOk: z.boolean(),
    reason: z.string().describe('What holds, or why not'),
    since: z.string().nullable().describe('Since when the present enablement holds it; null: it is not enabled'),
    resolvedBy: z.string().describe('The permission or role that can resolve it'),
  })
  .meta({ id: 'ExtractionChecklistItem' })
export type ChecklistItem = z.infer<typeof checklistItemSchema>
const checklistSchema = z.array(checklistItemSchema)

export const limitsSchema = z.object({
  ...(Object.fromEntries(boundNames.map((name) => [name, z.int()])) as Record<(typeof boundNames)[number], z.ZodInt>),
  retentionDays: z.literal(retentionChoices),
})

export const enableSchema = z.strictObject({
  enabled: z.boolean(),
  reason: text(reasonLength),
  validUntil: instant.nullish().describe(`Required to enable: at most ${enablementDays} days ahead`),
  limits: z
    .strictObject({
      ...(Object.fromEntries(
        boundNames.map((name) => [name, z.int().min(1).max(policyBounds[name][1]).default(policyBounds[name][0])]),
      ) as Record<(typeof boundNames)[number], z.ZodDefault<z.ZodInt>>),
      retentionDays: z
        .literal(retentionChoices)
        .default(defaultLimits.retentionDays)
        .describe('Days for which undecided candidates are stored'),
    })
    .nullish()
    .describe('The defaults where it is absent'),
})
export type Enable = z.output<typeof enableSchema>

export const readinessSchema = z
  .object({
    state: z.enum(enablementStates),
    reason: freeText().nullable().describe('Why it was enabled or disabled, or why it lapsed'),
    at: z.string().nullable(),
    validUntil: z.string().nullable(),
    extractorVersion: z.int(),
    policyVersion: z.int(),
    limits: limitsSchema,
    checklist: checklistSchema.describe('What enabling needs now'),
    failures: z
      .array(z.object({ extractionId: z.string(), at: z.string(), reason: z.enum(extractionReasons) }))
      .describe('Extractions that stopped because the gate or the provenance failed; to be investigated'),
  })
  .meta({ id: 'ExtractionReadiness' })
export type Readiness = z.infer<typeof readinessSchema>
