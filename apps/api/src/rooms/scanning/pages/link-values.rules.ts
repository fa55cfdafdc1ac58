import { decoded } from './page-urls.rules.ts'

/* Reads the email addresses and phone numbers that links state. Pure; loads no schema. */

const recipientFields = new Set(['to', 'cc', 'bcc'])
const numberSchemes = new Set(['tel:', 'callto:', 'sms:', 'smsto:'])
const chatSchemes = new Set(['whatsapp:', 'viber:'])
const chatHost = /^(?:wa\.me|(?:[a-z]+\.)?whatsapp\.com)$/

/** Returns the addresses and numbers of a link to mail, to a phone or to a chat; none for any other link. */
export function valuesOfLink(href: string, base: URL): string[] {
  const url = URL.parse(href, base)
  if (url === null) return []
  const { protocol, hostname, pathname, searchParams } = url
  if (protocol === 'mailto:')
    return [
      decoded(pathname),
      ...[...searchParams].flatMap(([name, value]) => (recipientFields.has(name.toLowerCase()) ? [value] : [])),
    ]
  if (numberSchemes.has(protocol)) return [decoded(pathname)]
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!chatSchemes.has(protocol) && !(isWeb && chatHost.test(hostname))) return []
  const inPath = hostname === 'wa.me' ? /[\s/](\d{9,15})\/?$/.exec(decoded(pathname))?.[1] : undefined
  return [inPath, searchParams.get('phone'), searchParams.get('number')].flatMap((number) => number ?? [])
}
