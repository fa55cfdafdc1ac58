import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { recordId } from '../../../http/text.ts'
import { labelSchema } from '../content/content.schema.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'Send the hash of the draft that you saw.')

export const copyDraftSchema = z.strictObject({
  draftVersion: z.int().min(1),
  contentHash: hash,
  snapshotHash: hash,
  policyVersion: z.string().max(40).describe('`versions.policy` of the draft'),
  suggestionId: recordId.nullish().describe('`versions.suggestion` of the draft'),
  provider: z.string().max(200).nullish().describe('`versions.provider` of the draft'),
  assistPolicy: z.string().max(40).nullish().describe('`versions.assistPolicy` of the draft'),
})
export type CopyDraft = z.output<typeof copyDraftSchema>

export const copySchema = z
  .object({
    id: z.string(),
    draftId: z.string(),
    draftVersion: z.int(),
    at: z.string(),
    by: actorRefSchema,
    fingerprint: z.string(),
    label: labelSchema,
    subject: z.string().nullable(),
    text: z.string().nullable().describe('For a person to copy by hand: nothing is sent'),
    textWithheld: z
      .enum(['suppressed', 'approval_ended', 'outside_contact_hours', 'registry_round_due'])
      .nullable()
      .describe('Why a repeated request no longer gets the text'),
    remaining: z.object({ recipient: z.int(), person: z.int(), tenant: z.int() }),
  })
  .meta({ id: 'DraftCopy' })
export type Copy = z.infer<typeof copySchema>
