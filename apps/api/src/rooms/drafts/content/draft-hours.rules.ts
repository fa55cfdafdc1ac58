import { utcMinute } from '../../../lib/calendar.ts'
import { type ContactChannel, type ContactHours, readContactHours } from '../../contact-hours/contact-hours.ts'
import type { Channel } from '../drafts.table.ts'
import type { PolicyInForce } from '../policies/policies.queries.ts'
import type { DraftContent } from './content.rules.ts'

const contactChannelOf = {
  email: 'email',
  sms: 'sms',
  letter: 'letter',
  call_script: 'phone',
} as const satisfies Record<Channel, ContactChannel>

/** `isRefused`: the policy refuses copies at this time. */
export type DraftHours = ContactHours & { isRefused: boolean }

/** Returns the contact hours of a draft at a time. Its jurisdiction is the country. A policy that refuses also refuses while the hours are unknown. */
export function contactHoursOfDraft(
  { jurisdiction, channel }: Pick<DraftContent, 'jurisdiction' | 'channel'>,
  policy: Pick<PolicyInForce, 'contactHours'> | null,
  at: string,
): DraftHours {
  const hours = readContactHours({ country: jurisdiction.toUpperCase(), channel: contactChannelOf[channel], at })
  return { ...hours, isRefused: policy?.contactHours === 'refuse' && hours.status !== 'allowed' }
}

/** Returns why the hours refuse a copy. */
export function sentenceOfHours({ status, reason, nextAt }: DraftHours): string {
  if (status === 'unknown')
    return `Whether contact is allowed now is unknown: ${reason}. The policy refuses copies then.`
  const next = nextAt === null ? '' : ` It is allowed from ${utcMinute(nextAt)}.`
  return `Contact is not allowed now: ${reason}.${next} The policy refuses copies until then.`
}
