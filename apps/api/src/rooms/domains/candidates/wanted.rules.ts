import {
  hostOfAddress,
  isDescriptiveWord,
  isFreeMailDomain,
  isSharedHost,
  NORMALIZATION_VERSION,
  readDomainName,
  SUFFIX_LIST_VERSION,
  unitOf,
  wholeHostOf,
  writtenWords,
} from '../../normalization/normalization.ts'
import { ALGORITHM_VERSION, type Confidence, type Support } from './evaluate.rules.ts'

/* Rules that derive domains from the facts of a record. Pure. */

/** Versions of the rules and of the suffix list, stored with the rows that they derive. */
export const DERIVATION_VERSION = `${ALGORITHM_VERSION} ${NORMALIZATION_VERSION} ${SUFFIX_LIST_VERSION}`

export type RecordFacts = {
  name: string
  /** web domains in normalized form */
  domains: readonly string[]
  emails: readonly string[]
  claims: readonly { id: string; value: string; confidence: Confidence; at: string }[]
}

export type Use = { byRecord: boolean; byEmail: boolean; hosts: string[] }

const MAX_HOSTS = 20
/** Minimum length of a name that is compared with labels. Shorter names match too many labels. */
const MIN_NAME_LENGTH = 4

/** Returns the domains that a record uses: those of its web domains and of its email addresses, without free mail domains. */
export function usesOf({ domains, emails }: Pick<RecordFacts, 'domains' | 'emails'>): Map<string, Use> {
  const uses = new Map<string, Use>()
  const use = (domain: string) => {
    const known = uses.get(domain) ?? { byRecord: false, byEmail: false, hosts: [] }
    uses.set(domain, known)
    return known
  }
  for (const host of domains) {
    const domain = unitOf(readDomainName(host))
    if (domain === null) continue
    const found = use(domain)
    found.byRecord = true
    if (found.hosts.length < MAX_HOSTS && !found.hosts.includes(host)) found.hosts.push(host)
  }
  for (const host of emails.map(hostOfAddress)) {
    const domain = unitOf(readDomainName(host))
    if (domain !== null && !isOfNobody(domain)) use(domain).byEmail = true
  }
  return uses
}

/** Returns true for a free mail domain. It proves nothing about a business, because anybody can have a mailbox there. */
function isOfNobody(domain: string): boolean {
  return isFreeMailDomain(domain)
}

/** Returns the name, without its legal form, as a domain label. Returns null for a short name or a name that only describes a trade. */
export function labelOfName(name: string): string | null {
  const words = writtenWords(name)
  const label = words.join('')
  return label.length < MIN_NAME_LENGTH || words.every(isDescriptiveWord) ? null : label
}

/**
 * Returns the domains that may belong to the record in addition to its web domains, each with its supporting evidence. `namesakes`: known domains
 * whose label equals the record's name.
 */
export function supportsOf(facts: RecordFacts, namesakes: readonly string[]): Map<string, Support[]> {
  const uses = usesOf(facts)
  const found = new Map<string, Support[]>()
  const add = (domain: string | null, support: Support) => {
    if (domain === null || isOfNobody(domain) || uses.get(domain)?.byRecord === true) return
    found.set(domain, [...(found.get(domain) ?? []), support])
  }
  for (const { id, value, confidence, at } of facts.claims) {
    const reading = readDomainName(value)
    if (reading.ascii !== null)
      add(unitOf(reading), {
        code: 'claim',
        evidenceId: id,
        host: reading.ascii,
        written: wholeHostOf(value),
        confidence,
        at,
      })
  }
  const hosts = Map.groupBy(facts.emails.map(hostOfAddress), (host) => host)
  for (const [host, { length: addresses }] of hosts)
    add(unitOf(readDomainName(host)), { code: 'email_domain', host, addresses })
  const label = labelOfName(facts.name)
  for (const domain of namesakes) if (label !== null && !isSharedHost(domain)) add(domain, { code: 'name', label })
  return found
}

/** Returns the host as the first evidence that names one states it: a claim, or else an email address. Returns null for a name alone. */
export function writtenHostIn(supports: readonly Support[]): string | null {
  const claim = supports.find((support) => support.code === 'claim')
  const mail = supports.find((support) => support.code === 'email_domain')
  return claim?.written ?? mail?.host ?? null
}
