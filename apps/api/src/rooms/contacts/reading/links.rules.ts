import { withoutUnseen } from '../../normalization/normalization.ts'
import type { ContactKind, Method, QuarantineRule, Syntax } from '../contacts.table.ts'
import type { ExcludedRule } from './found-values.ts'
import { type MailReading, readAddress, syntaxOf } from './mail-in-text.rules.ts'
import { digitsOf, readPhoneValue } from './phones-in-text.rules.ts'

/* Reads links that state a contact value: `mailto:`, `tel:`, and chat links with a number. The functions are pure. */

export type LinkValue = {
  kind: ContactKind
  method: Extract<Method, 'mailto' | 'tel' | 'chat_link'>
  value: string
  normalized: string | null
  uncertainty: string | null
  region: string | null
  syntax: Syntax
  isConfusable: boolean
  rule: Extract<QuarantineRule, 'mailto_copy' | 'syntax'> | null
}
export type ReadLink = { values: LinkValue[]; excluded: ExcludedRule[] }

const MAX_LINK = 4_000
const MAX_RECIPIENTS = 20
const nothing: ReadLink = { values: [], excluded: [] }
const malformed: ReadLink = { values: [], excluded: ['malformed_link'] }

/** Returns the values of a link; undefined for a link that states no value. `country`: that of the workspace, for numbers in local form. */
export function readLink(href: string, country: string): ReadLink | undefined {
  const link = withoutUnseen(href.slice(0, MAX_LINK)).trim()
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(link) ?? []
  switch (scheme.toLowerCase()) {
    case 'mailto':
      return href.length > MAX_LINK ? malformed : readMailto(rest)
    case 'tel':
      return readNumberLink(rest, 'tel', country)
    case 'whatsapp':
    case 'http':
    case 'https':
      return readChat(link, country)
    default:
      return isMalformedScheme(link) ? malformed : undefined
  }
}

/** True for `mailto//…`, `mail:…`, `e-mail:…`, and an address without a scheme. */
function isMalformedScheme(link: string): boolean {
  return (
    /^(?:mailto\b|mail:|e-?mail:|telephone:|phone:)/i.test(link) || /^[^\s/:?#]+@[^\s/:?#]+\.[^\s/:?#]+$/.test(link)
  )
}

function readMailto(rest: string): ReadLink {
  const query = rest.indexOf('?')
  const address = decoded(query === -1 ? rest : rest.slice(0, query))
  const fields = query === -1 ? [] : rest.slice(query + 1).split('&')
  const read = fields.map((field) => {
    const at = field.indexOf('=')
    const name = (at === -1 ? field : field.slice(0, at)).toLowerCase()
    return { name, value: at === -1 ? '' : decoded(field.slice(at + 1)) }
  })
  if (address === undefined || /[\r\n]/.test(address) || /^\s*(?:mailto:|\/\/)/i.test(address)) return malformed
  const to = read.filter(({ name }) => name === 'to').map(({ value }) => value ?? '')
  const copies = read.filter(({ name }) => name === 'cc' || name === 'bcc').map(({ value }) => value ?? '')
  const bodies = read
    .filter(({ name }) => name === 'body')
    .flatMap(({ value }) => value?.match(/[^\s<>]+@[^\s<>]+/g) ?? [])
  const recipients = recipientsOf([address, ...to])
  // A part of the list that is not an address may belong to the address before it: `a@karoo,co,za`.
  if (recipients.some((one) => !one.includes('@'))) return malformed
  const results = [
    ...recipients.map((one) => readRecipient(one, null)),
    ...recipientsOf([...copies, ...bodies]).map((one) => readRecipient(one, 'mailto_copy' as const)),
  ]
  return joined(results)
}

/** Splits a list of recipients. Commas separate them, and some mail programs use semicolons. */
function recipientsOf(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/[,;\r\n]/))
    .map((text) => /<([^<>]*)>/.exec(text)?.[1] ?? text)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, MAX_RECIPIENTS)
}

function readRecipient(value: string, rule: LinkValue['rule']): ReadLink {
  const answer = readAddress(value)
  if (typeof answer !== 'string') return { values: [mailValue(answer, rule)], excluded: [] }
  if (answer !== 'unclear' && answer !== 'handle') return { values: [], excluded: [answer] }
  // The page states this text as an address, so a person sees it although it is not a valid one.
  const at = value.lastIndexOf('@')
  const isStated = at > 0 && !/\s/.test(value) && value.length < MAX_LINK / 10
  if (!isStated) return malformed
  const syntax = syntaxOf(value.slice(0, at), value.slice(at + 1).toLowerCase())
  return {
    values: [
      {
        ...mailValue({ value, normalized: '', syntax, isConfusable: false }, rule ?? 'syntax'),
        normalized: null,
        uncertainty: 'not_an_email_address',
        syntax: syntax === 'valid' ? 'unusual' : syntax,
      },
    ],
    excluded: [],
  }
}

function mailValue({ value, normalized, syntax, isConfusable }: MailReading, rule: LinkValue['rule']): LinkValue {
  return {
    kind: 'email',
    method: 'mailto',
    value,
    normalized,
    uncertainty: null,
    region: null,
    syntax,
    isConfusable,
    rule,
  }
}

function readNumberLink(rest: string, method: 'tel' | 'chat_link', country: string): ReadLink {
  const number = decoded(rest)
    ?.replace(/^\/{2}/, '')
    .replace(/;.*$/s, '')
    .trim()
  if (number === undefined || !/^[\p{Nd}\s+().\-/\u2010-\u2015]+$/u.test(number)) return malformed
  const digits = digitsOf(number)
  if (digits.length < 9 || digits.length > 15) return malformed
  const answer = readPhoneValue(number, country)
  if (answer === 'placeholder') return { values: [], excluded: ['placeholder'] }
  const read =
    typeof answer === 'string'
      ? {
          normalized: null,
          uncertainty: 'invalid_phone_number',
          region: null,
          syntax: 'invalid' as const,
          rule: 'syntax' as const,
        }
      : { ...answer, rule: null }
  return { values: [{ kind: 'phone', method, isConfusable: false, ...read, value: number }], excluded: [] }
}

function readChat(link: string, country: string): ReadLink | undefined {
  const url = URL.parse(link)
  if (url === null) return undefined
  const { protocol, hostname, pathname, searchParams, username } = url
  const isChat = protocol === 'whatsapp:' || /^(?:api|web|chat)\.whatsapp\.com$/.test(hostname)
  if (isChat) return chatNumber(searchParams.get('phone'), country)
  if (hostname === 'wa.me') return chatNumber(/^\/(?:p\/|message\/)?(\+?\d+)\/?$/.exec(pathname)?.[1] ?? null, country)
  return username === '' ? undefined : { values: [], excluded: ['url_user'] }
}

/** Reads the number of a chat link, which includes the country code but no plus. */
function chatNumber(number: string | null, country: string): ReadLink {
  if (number === null) return nothing
  const digits = number.replace(/[\s+()-]/g, '')
  if (!/^\d+$/.test(digits)) return malformed
  // Such a link does not open a chat, but shows which number is meant.
  const isLocal = /^0[1-9]/.test(digits)
  return readNumberLink(isLocal ? digits : `+${digits}`, 'chat_link', country)
}

function joined(results: readonly ReadLink[]): ReadLink {
  return { values: results.flatMap(({ values }) => values), excluded: results.flatMap(({ excluded }) => excluded) }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
