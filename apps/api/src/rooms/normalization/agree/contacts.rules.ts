import { normalizeIdentifier } from '../identifiers.rules.ts'
import { mailboxOf } from '../mailboxes.rules.ts'
import { readPhone } from '../phones.rules.ts'
import { ownerDomainOf, pageIn, sharedHostOf } from '../shared-hosts.rules.ts'
import { withAsciiDigits } from '../text-folding.rules.ts'
import { valuesIn } from '../values/values-in.rules.ts'
import { type Agreement, compatible, different, type FieldRule, same, unknown } from './agreement.ts'

type Email = { address: string; mailbox: string }

/** Email addresses by the mailbox to which their provider delivers them. */
export const emailRule: FieldRule<Email> = {
  read: (value) => {
    const [, inBrackets] = /<([^<>]*)>/.exec(value) ?? []
    const typed = (inBrackets ?? value)
      .trim()
      .replace(/^mailto:/i, '')
      .replace(/\?.*$/s, '')
    const normalized = normalizeIdentifier('email', typed).normalized ?? onlyAddressIn(value)
    if (normalized === null) return null
    const { host, name } = mailboxOf(normalized)
    return { address: normalized, mailbox: `${name}@${host}` }
  },
  compare: (one, other) => {
    if (one.address === other.address) return same
    return one.mailbox === other.mailbox ? compatible('same_mailbox') : different
  },
}

/** Returns the address in a text with signs or words around it, such as `jan@karoo.co.za.` and `jan [at] karoo.co.za`; null if it has several. */
function onlyAddressIn(text: string): string | null {
  const found = valuesIn(text).filter(({ kind }) => kind === 'email')
  const [longest] = found
  return longest !== undefined && found.every(({ to }) => to === longest.to) ? longest.normalized : null
}

type Phone = {
  /** E.164 form; null without a country */
  international: string | null
  /** digits without a trunk or exit prefix */
  digits: string
  extension: string | null
  /** returns the E.164 forms of a local number in the countries that it may belong to, which takes longer than reading it */
  candidates: () => readonly string[]
}

/** the number in a text with a label or a name, such as `Jan 082 555 8802 (work)` */
const numberInText = /[+＋]?\d[\d\s().\-/]{4,30}\d/
/** Minimum number of digits of a local number without its area code. */
const SHORTEST_LOCAL = 6

/** Phone numbers in any format. A local number is read for the country of the record's number. */
export const phoneRule: FieldRule<Phone> = {
  read: (value, region) => {
    const plain = withAsciiDigits(value)
    const whole = readPhone(plain, region, { withCandidates: false })
    const part = numberInText.exec(plain)?.[0] ?? plain
    const typed = whole.normalized === null && whole.uncertainty !== 'no_country_context' ? part : plain
    const { normalized, extension } = typed === plain ? whole : readPhone(typed, region, { withCandidates: false })
    const digits = (normalized ?? part).replace(/\D/g, '').replace(/^0+/, '')
    if (digits.length < SHORTEST_LOCAL) return null
    const candidates = () => (normalized === null ? readPhone(typed, region).candidates : [])
    return { international: normalized, digits, extension: extension ?? whole.extension, candidates }
  },
  compare: (one, other) => {
    const number = compareNumbers(one, other)
    if (number.answer === 'different' || number.answer === 'unknown' || one.extension === other.extension) return number
    return one.extension === null || other.extension === null ? compatible('extension_missing') : different
  },
}

function compareNumbers(one: Phone, other: Phone): Agreement {
  if (one.international !== null && other.international !== null)
    return one.international === other.international ? same : different
  if (one.digits === other.digits) return same
  if (one.digits.endsWith(other.digits) || other.digits.endsWith(one.digits)) {
    const [candidates, others] = [one.candidates(), other.candidates()]
    const isInOneCountry =
      (other.international !== null && candidates.includes(other.international)) ||
      (one.international !== null && others.includes(one.international))
    return compatible(isInOneCountry ? 'country_missing' : 'area_code_missing')
  }
  const isReadable = [one, other].every(
    ({ international, candidates }) => international !== null || candidates().length > 0,
  )
  return isReadable ? different : unknown('unreadable')
}

type Domain = { host: string; owner: string; shared: string | null; page: string }

/**
 * Domains, hosts and URLs. The registrable domain identifies a site. On a host where anybody can have a page, only the page identifies its owner, and a
 * host below a private suffix is a site of its own.
 */
export const domainRule: FieldRule<Domain> = {
  read: (value) => {
    const typed = value.trim()
    const { normalized: host } = normalizeIdentifier('domain', typed)
    if (host === null) return null
    const shared = sharedHostOf(host) ?? null
    return {
      host,
      owner: shared ?? ownerDomainOf(host) ?? host,
      shared,
      page: shared === null ? '' : pageIn(typed),
    }
  },
  compare: (one, other) => {
    if (one.owner !== other.owner) return different
    if (one.shared === null) return one.host === other.host ? same : compareHosts(one.host, other.host)
    if (one.page === other.page) return same
    return one.page === '' || other.page === '' ? unknown('page_missing') : different
  },
}

/** Compares two hosts of one registrable domain. */
function compareHosts(one: string, other: string): Agreement {
  return one.endsWith(`.${other}`) || other.endsWith(`.${one}`) ? compatible('subdomain_missing') : different
}
