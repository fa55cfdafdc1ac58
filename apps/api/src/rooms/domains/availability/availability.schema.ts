import { z } from 'zod'

export const availabilitySchema = z
  .object({
    domain: z.string(),
    status: z.literal('unknown'),
    outcome: z.literal('unavailable'),
    reason: z.literal('no_provider').describe('Why it is unknown'),
  })
  .meta({
    id: 'DomainAvailability',
    description: 'Unknown, because no provider reports availability. No DNS status decides it.',
  })
