import { z } from 'zod'
import { numeral } from '../../../lib/numeral.ts'
import { domainReasons } from '../../normalization/normalization.ts'

/** Maximum number of values per normalization request, listed in `docs/limits.md`. The size limit of the body also limits each value. */
const MAX_VALUES = 1_000

export const normalizeSchema = z.strictObject({
  values: z.array(z.string()).max(MAX_VALUES, `At most ${numeral(MAX_VALUES)} values.`),
})

const domainReasonSchema = z.enum(domainReasons).meta({
  id: 'DomainReason',
  description: 'Why a value has no registrable domain, or why it is uncertain who holds it.',
})

export const normalizedDomainSchema = z
  .object({
    raw: z.string(),
    ascii: z.string().nullable().describe('The host in ASCII; null: the value has the form of none'),
    unicode: z.string().nullable(),
    subdomain: z.string().nullable(),
    registrable: z.string().nullable().describe('By the public suffixes alone'),
    suffix: z.string().nullable(),
    suffixKind: z.enum(['icann', 'private', 'unknown']).nullable(),
    privateBoundary: z.string().nullable().describe('The domain under a private suffix, such as karoo.github.io'),
    reason: domainReasonSchema.nullable(),
    normalizationVersion: z.string(),
    suffixListVersion: z.string(),
  })
  .meta({ id: 'NormalizedDomain' })
export type NormalizedDomain = z.infer<typeof normalizedDomainSchema>

export const normalizedDomainsSchema = z
  .object({ items: z.array(normalizedDomainSchema) })
  .meta({ id: 'NormalizedDomains' })
