import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { addSuppression } from './entries/add-entry.ts'
import { addSuppressionSchema } from './suppression.schema.ts'

/** Adds entries of each kind: of prospects of the sample, of people who are no prospects, and of a whole domain. */
export async function sampleSuppressions({ people, prospects, now, as }: SampleDesk): Promise<void> {
  const last = prospects.filter(({ isWorked }) => !isWorked).toReversed()
  const email = last.find((one) => one.email !== null)?.email
  const phone = last.find((one) => one.phone !== null && one.email !== email)?.phone
  const entries = [
    ...(email == null
      ? []
      : [{ kind: 'email', value: email, channel: 'email', reason: 'Replied “stop” to a newsletter.' }]),
    ...(phone == null
      ? []
      : [
          {
            kind: 'phone',
            value: phone,
            region: 'ZA',
            channel: 'phone',
            reason: 'The owner asked not to be called again.',
          },
        ]),
    {
      kind: 'email',
      value: 'accounts@marulacatering.example',
      channel: 'email',
      reason: 'Asked to be removed from our list.',
    },
    {
      kind: 'phone',
      value: '+27215550163',
      channel: 'registry',
      reason: 'On the opt-out registry.',
      reference: 'October list',
    },
    {
      kind: 'domain',
      value: 'nomarketing.example',
      scope: 'with_subdomains',
      channel: 'letter',
      reason: 'Their attorneys wrote.',
    },
    { kind: 'domain', value: 'overbergclinic.example', channel: 'in_person', reason: 'Asked at the expo stand.' },
  ]
  for (const [index, entry] of entries.entries()) {
    const requestedAt = daysAfter(now, -3 - index * 11)
    const input = addSuppressionSchema.parse({ ...entry, requestedAt })
    await as(people.manager, 'suppression.add', (tx) => addSuppression(tx, input))
  }
}
