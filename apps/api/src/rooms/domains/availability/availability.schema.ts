import { z } from 'zod'

export const availabilitySchema = z
  .object({
    domain: z.string(),
    status: z.enum(['unknown', 'available', 'not_available']),
    outcome: z.enum(['answered', 'deferred', 'unavailable']),
    reason: z.string().nullable().describe('Why it is unknown'),
    source: z.string().nullable(),
    observedAt: z.string().nullable(),
  })
  .meta({
    id: 'DomainAvailability',
    description: 'Unknown unless an authorized provider reported a result. No DNS status decides it.',
  })
