import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { recordObservationSchema } from './dns/dns.schema.ts'
import { recordObservation } from './dns/observations.ts'

const RECORDED = 8

/** Adds DNS answers that a person looked up: mail servers of most domains, and a name that does not exist. */
export async function sampleDomains({ people, prospects, now, as }: SampleDesk): Promise<void> {
  const domains = prospects.flatMap(({ domain }) => (domain === null ? [] : [domain])).slice(0, RECORDED)
  for (const [index, name] of domains.entries()) {
    const answer =
      index % 4 === 3
        ? { status: 'nxdomain', ttl: 900 }
        : {
            status: 'resolved',
            ttl: 3_600,
            records: [{ kind: 'MX', preference: 10, exchange: `mail.${name}`, ttl: 3_600 }],
          }
    const input = recordObservationSchema.parse({
      name,
      kind: 'MX',
      source: 'dig on a workstation',
      observedAt: daysAfter(now, -index / 8),
      ...answer,
    })
    await as(people.manager, 'dns_observation.record', (tx) => recordObservation(tx, input))
  }
}
