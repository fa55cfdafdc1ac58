import type { Business } from '../../businesses/businesses.ts'
import { ownDomains } from '../sites/record-hosts.ts'
import type { KnownFacts } from './page-facts.ts'

/** Returns the facts of the record that a page is compared with. */
export function knownFactsOf(business: Business): KnownFacts {
  const { name, tradingName, registrationNumber, phones, address } = business
  return {
    names: [name, tradingName].filter((one) => one !== null),
    registrationNumber,
    phones: phones.flatMap(({ normalized }) => normalized ?? []),
    domains: ownDomains(business),
    street: address?.street ?? null,
  }
}
