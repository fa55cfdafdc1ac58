import { z } from 'zod'
import { instant } from '../../http/text.ts'
import { contactChannels } from './calendars.data.ts'
import { contactHourStatuses } from './hours.rules.ts'

export const contactHoursQuery = z.strictObject({
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Enter the country as two letters, such as ZA.')
    .describe('The country of the person who is contacted, ISO 3166 alpha-2'),
  channel: z.enum(contactChannels),
  at: instant.optional().describe('Default: now'),
})

export const contactHoursSchema = z
  .object({
    status: z.enum(contactHourStatuses).describe('unknown: no calendar covers the country, the channel or the year'),
    reason: z.string().describe('Continues a sentence: Sunday, before 08:00, no calendar for NA'),
    nextAt: z
      .string()
      .nullable()
      .describe('If not now: the next time at which contact is allowed, as far as the calendar reaches'),
    calendarVersion: z.string().nullable().describe('null without a calendar'),
  })
  .meta({
    id: 'ContactHours',
    description: 'From public summaries of the law, as your lawyer advises; no legal advice.',
  })
export type { ContactHours } from './hours.rules.ts'
