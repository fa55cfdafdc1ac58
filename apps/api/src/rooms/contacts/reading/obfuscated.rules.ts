import { attributeOf, parseHtml, walkHtml } from '../../scanning/scanning.thread.ts'
import { mailsInText } from './mail-in-text.rules.ts'

/*
 * Decodes addresses that a page hides from programs, from its markup alone: no script is executed and nothing is requested. The result is always
 * quarantined, because the page does not show the address as text. The functions are pure, and linear in the length of the text.
 */

/** Maximum length of an encoded address: a key and at most 254 characters in hexadecimal. */
const MAX_ENCODED = 512
/** A longer script is a library. */
const MAX_SCRIPT = 8_000
const MAX_SUMS = 200
const MAX_TEXT = 2_000

/**
 * Decodes the address in `data-cfemail`, or behind the `#` of `/cdn-cgi/l/email-protection`: hexadecimal bytes, each combined with the first one by
 * exclusive or. Undefined if the text has another form.
 */
export function decodeCfEmail(encoded: string): string | undefined {
  const hex = encoded.trim()
  if (hex.length < 4 || hex.length > MAX_ENCODED || hex.length % 2 !== 0 || !/^[\da-f]+$/i.test(hex)) return undefined
  const [key = 0, ...bytes] = Buffer.from(hex, 'hex')
  const text = Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8')
  // The subject and other fields of a `mailto:` link are encoded with the address.
  const [address = ''] = text.split('?', 1)
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined
}

const localNames = ['data-user', 'data-name', 'data-local', 'data-mailbox', 'data-u']
const hostNames = ['data-domain', 'data-host', 'data-site', 'data-d']

/** Attributes that contain an encoded address or parts of one. */
export const encodedParts: readonly string[] = [...localNames, ...hostNames, 'data-tld', 'first', 'last', 'text']

/** Joins the parts of an address in attributes such as `data-user` and `data-domain`, which a script of the page joins. */
export function addressOfParts(read: (name: string) => string | undefined): string | undefined {
  const firstOf = (names: readonly string[]) => names.flatMap((name) => read(name) ?? []).find((value) => value !== '')
  const local = firstOf(localNames)?.trim()
  const host = firstOf(hostNames)?.trim().replace(/^@/, '')
  const ending = read('data-tld')?.trim().replace(/^\./, '')
  if (local === undefined || host === undefined || local.includes('@')) return undefined
  return `${local}@${ending === undefined ? host : `${host}.${ending}`}`
}

/** Decodes the address of `<joomla-hidden-mail first="…" last="…">`, whose parts are in Base64. Undefined if the parts have another form. */
export function addressOfHiddenMail(read: (name: string) => string | undefined): string | undefined {
  const [local, host] = ['first', 'last'].map((name) => {
    const part = read(name)?.trim() ?? ''
    return part.length > MAX_ENCODED || !/^[A-Za-z\d+/]+={0,2}$/.test(part)
      ? ''
      : Buffer.from(part, 'base64').toString('utf8')
  })
  const address = `${local}@${host}`
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined
}

/** Stands for a value that only the running script knows. An address that touches it is discarded. */
const UNKNOWN = 'zqunknownzq'

const literal = String.raw`'(?:[^'\\\n]|\\.){0,400}'|"(?:[^"\\\n]|\\.){0,400}"`
/** Matches texts and names that a script joins by `+`, and the name to which the script assigns or adds the result. */
const sum = new RegExp(
  String.raw`(?:([A-Za-z_$][\w$]*)\s*(\+?=)\s*)?((?:${literal}|[A-Za-z_$][\w$]*)(?:\s*\+\s*(?:${literal}|[A-Za-z_$][\w$.]*))*)`,
  'g',
)
const term = new RegExp(`${literal}|[A-Za-z_$][\\w$.]*`, 'g')

/**
 * Returns the addresses that a script builds from texts that it contains, joined by `+` and stored in variables, as Joomla and older site builders
 * write them. Entities and escapes are decoded. Returns none for a script that is too long, or that computes the address in another way.
 */
export function addressesOfScript(script: string): string[] {
  if (script.length > MAX_SCRIPT) return []
  const known = new Map<string, string>()
  const found = new Set<string>()
  let read = 0
  for (const [, name, operator, terms = ''] of script.matchAll(sum)) {
    read += 1
    if (read > MAX_SUMS) break
    const value = [...terms.matchAll(term)].map(([part]) => textOf(part, known)).join('')
    const text = (operator === '+=' ? `${known.get(name ?? '') ?? UNKNOWN}${value}` : value).slice(0, MAX_TEXT)
    if (name !== undefined) known.set(name, text)
    for (const address of addressesIn(text)) found.add(address)
  }
  return [...found]
}

function textOf(part: string, known: ReadonlyMap<string, string>): string {
  const isText = part.startsWith("'") || part.startsWith('"')
  return isText ? unescaped(part.slice(1, -1)) : (known.get(part) ?? UNKNOWN)
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gi, (_, byte, unit, sign) =>
    sign === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : sign,
  )
}

/** Returns the addresses in the text of a piece of markup, and in the addresses of its links. */
function addressesIn(markup: string): string[] {
  // Most texts of scripts contain neither the sign nor an entity that stands for it.
  if (!/@|&#|&commat/i.test(markup)) return []
  const parts: string[] = []
  walkHtml(parseHtml(markup).document, {
    enter: (element) => {
      parts.push((attributeOf(element, 'href') ?? '').replace(/^mailto:/i, ''))
      return true
    },
    leave: () => {},
    text: (value) => parts.push(value),
  })
  return mailsInText(parts.join('\n').replace(/mailto:/gi, ' ')).flatMap(({ reading }) =>
    reading === null || reading.value.includes(UNKNOWN) ? [] : [reading.value],
  )
}
