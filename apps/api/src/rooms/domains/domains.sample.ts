import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { proposeCandidate } from './candidates/candidates.ts'
import { recordObservationSchema } from './dns/dns.schema.ts'
import { recordObservation } from './dns/observations.ts'

const RECORDED = 8
/** Prospects without a domain for which a person proposes one. */
const PROPOSED = 3

/** Adds DNS answers that a person looked up (mail servers of most domains, and names that do not exist) and domains that wait for a decision. */
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
  const without = prospects.filter(({ domain, email, isWorked }) => isWorked && domain === null && email === null)
  for (const { id: businessId, name } of without.slice(0, PROPOSED)) {
    // The evidence of a prospect can name the domain of its name, which is then a candidate already.
    const domain = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')}-online.example`
    await as(people.operators[0], 'domain_candidate.propose', (tx) =>
      proposeCandidate(tx, { domain, businessId, reason: 'It is painted on their van.' }),
    )
  }
}
