import { z } from 'zod'
import { declaredList } from '../../http/pagination.ts'

const limitSchema = z
  .object({
    name: z.string().describe('Name of the limit. A refusal at this limit has it as `limit`.'),
    label: z.string().describe('What is counted, as a plural: `queued jobs`'),
    of: z.enum(['person', 'tenant']).describe('person: counted for the person who asks. tenant: for the workspace'),
    per: z.enum(['day']).nullable().describe('day: the use begins again at 0 each day in UTC. null: the current use'),
    unit: z.enum(['things', 'bytes']),
    used: z.int().describe('The current use. Counting stops at the maximum.'),
    max: z.int(),
    sentence: z.string().describe('What to do at the limit'),
  })
  .meta({ id: 'Limit' })
export type Limit = z.infer<typeof limitSchema>

export const limitsSchema = z
  .object({ items: declaredList(limitSchema), asOf: z.string() })
  .meta({ id: 'Limits', description: 'Limits of the person and of the workspace, each with its use and its maximum.' })
export type Limits = z.infer<typeof limitsSchema>
