import { z } from 'zod'
import { declaredList } from '../../http/pagination.ts'
import { retentionKinds, retentionUnits } from '../retention-term.ts'

const termSchema = z
  .object({
    kind: z
      .enum(retentionKinds)
      .describe(
        'time: for `value` units. per_item: each item has its own period. erasure: until the prospect is erased. removal: until a person removes it. always: never deleted. not_stored: the workspace stores none.',
      ),
    value: z.int().nullable(),
    unit: z.enum(retentionUnits).nullable(),
  })
  .meta({ id: 'RetentionTerm' })

const retentionSchema = z
  .object({
    key: z.string(),
    data: z.string().describe('What is stored'),
    term: termSchema,
    begins: z.string().describe('Where the period begins, and who sets it'),
    ends: z.string().describe('What is deleted at the end, and what remains'),
  })
  .meta({ id: 'Retention' })

export const retentionListSchema = z.object({ items: declaredList(retentionSchema), asOf: z.string() }).meta({
  id: 'RetentionList',
  description: 'How long the workspace stores what it stores. The settings of now apply to new items.',
})
export type RetentionList = z.infer<typeof retentionListSchema>
