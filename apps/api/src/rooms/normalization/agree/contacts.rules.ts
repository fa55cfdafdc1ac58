import { normalizeIdentifier, readIdentifier } from '../identifiers.rules.ts'
import { mailboxOf } from '../mailboxes.rules.ts'
import { ownerDomainOf, sharedHostOf } from '../shared-hosts.rules.ts'
import { withAsciiDigits } from '../text-folding.rules.ts'
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
    const { normalized } = normalizeIdentifier('email', typed)
    if (normalized === null) return null
    const { host, name } = mailboxOf(normalized)
    return { address: normalized, mailbox: `${name}@${host}` }
  },
  compare: (one, other) => {
    if (one.address === other.address) return same
    return one.mailbox === other.mailbox ? compatible('same_mailbox') : different
  },
}

type Phone = {
  /** E.164 form; null without a country */
  international: string | null
  /** digits without a trunk or exit prefix */
  digits: string
  extension: string | null
  /** E.164 forms of a local number in the countries that it may belong to */
  candidates: readonly string[]
}

/** the number in a text with a label or a name, such as `Jan 082 555 8802 (work)` */
const numberInText = /[+＋]?\d[\d\s().\-/]{4,30}\d/
/** Minimum number of digits of a local number without its area code. */
const SHORTEST_LOCAL = 6

/** Phone numbers in any format. A local number is read for the country of the record's number. */
export const phoneRule: FieldRule<Phone> = {
  read: (value, region) => {
    const plain = withAsciiDigits(value)
    const whole = readIdentifier('phone', plain, region)
    const part = numberInText.exec(plain)?.[0]
    const isUnread = whole.normalized === null && whole.candidates.length === 0
    const read = isUnread && part !== undefined ? readIdentifier('phone', part, region) : whole
    const { normalized, candidates } = read
    const digits = (normalized ?? part ?? plain).replace(/\D/g, '').replace(/^0+/, '')
    if (digits.length < SHORTEST_LOCAL) return null
    return { international: normalized, digits, extension: read.extension ?? whole.extension, candidates }
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
  if (one.candidates.some((number) => number === other.international)) return compatible('country_missing')
  if (other.candidates.some((number) => number === one.international)) return compatible('country_missing')
  if (one.digits.endsWith(other.digits) || other.digits.endsWith(one.digits)) return compatible('area_code_missing')
  const isReadable = [one, other].every(
    ({ international, candidates }) => international !== null || candidates.length > 0,
  )
  return isReadable ? different : unknown('unreadable')
}

type Domain = { host: string; owner: string; shared: string | null; page: string }

/** parameters of links that do not identify a page */
const tracking =
  /^(?:utm_.*|fbclid|gclid|igshid?|mibextid|ref|refid|hl|lang|locale|si|trk|originalsubdomain|src|source)=/

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

/** Returns the part of a URL behind its host that identifies a page, in lower case and without parameters of links. */
function pageIn(url: string): string {
  const behind = /^(?:[a-z][a-z\d+.-]*:)?\/{0,2}[^/?#]*(.*)$/is.exec(url)?.[1] ?? ''
  const [path = '', query = ''] = behind
    .replace(/#(?![!/]).*$/s, '')
    .toLowerCase()
    .split('?', 2)
  const named = query.split('&').filter((parameter) => parameter !== '' && !tracking.test(parameter))
  let end = path.length
  while (path.charAt(end - 1) === '/') end -= 1
  const page = decoded(path.slice(0, end))
  return named.length === 0 ? page : `${page}?${named.sort().join('&')}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A path with a stray percent sign is compared as it is written.
    return path
  }
}
