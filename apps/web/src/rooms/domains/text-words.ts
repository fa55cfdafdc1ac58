/** Readings of TXT records in words, beside the raw text. They describe what the record asks receivers to do, never who owns the domain. */
import { countWords } from '../../ui/text/count-words.ts'
import { listWords } from '../../ui/text/format.ts'

/** Returns a text of a known form in words; null for any other text. */
export function textInWords(text: string): string | null {
  const plain = text.trim()
  if (/^v=spf1(?:\s|$)/i.test(plain)) return spfInWords(plain)
  if (/^v=DMARC1\s*(?:;|$)/i.test(plain)) return dmarcInWords(tagsOf(plain))
  const tags = tagsOf(plain)
  if (/^v=DKIM1\s*(?:;|$)/i.test(plain) || (tags.has('p') && tags.has('k'))) return dkimInWords(tags)
  const service = proofs.find(([pattern]) => pattern.test(plain))?.[1]
  return service === undefined ? null : `Proof for ${service} that somebody controls this DNS entry.`
}

const proofs: readonly (readonly [RegExp, string])[] = [
  [/^google-site-verification=/i, 'Google'],
  [/^MS=/i, 'Microsoft 365'],
  [/^facebook-domain-verification=/i, 'Facebook'],
  [/^apple-domain-verification=/i, 'Apple'],
  [/^(?:adobe-idp-site-verification|adobe-sign-verification)=/i, 'Adobe'],
  [/^atlassian-domain-verification=/i, 'Atlassian'],
  [/^(?:zoho-verification=|zb)/i, 'Zoho'],
]

/** Tags of a text such as 'v=DMARC1; p=none', with names in lower case. The first of equal tags counts. */
function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim().toLowerCase()
    if (at > 0 && !tags.has(name)) tags.set(name, part.slice(at + 1).trim())
  }
  return tags
}

const othersInWords: Readonly<Record<string, string>> = {
  '-': 'The domain asks that mail from all other servers is refused.',
  '~': 'The domain calls mail from all other servers suspicious.',
  '?': 'The text says nothing about other servers.',
  '+': 'Any server may send mail for the domain.',
}

function spfInWords(text: string): string {
  const senders: string[] = []
  let addresses = 0
  let others = 'The text says nothing about other servers.'
  for (const term of text.split(/\s+/).slice(1)) {
    const [, sign = '', name = '', value = ''] = /^([-~?+]?)([a-z0-9_.-]+)(?:[:=]([^/]*))?/i.exec(term) ?? []
    const mechanism = name.toLowerCase()
    if (mechanism === 'all') others = othersInWords[sign === '' ? '+' : sign] ?? others
    else if (mechanism === 'redirect')
      others = `The rules of ${value} say which other servers may send mail for the domain.`
    else if (sign === '-' || sign === '~') continue
    else if (mechanism === 'ip4' || mechanism === 'ip6') addresses += 1
    else if (mechanism === 'mx') senders.push(value === '' ? 'its own mail servers' : `the mail servers of ${value}`)
    else if (mechanism === 'a') senders.push(value === '' ? 'its own web server' : `the server ${value}`)
    else if (mechanism === 'include') senders.push(`the servers that ${value} permits`)
  }
  if (addresses > 0) senders.push(countWords(addresses, 'network address', 'network addresses'))
  const who =
    senders.length === 0
      ? 'The text names no server that sends mail for the domain.'
      : `Mail of the domain is sent by ${listWords(senders)}.`
  return `SPF: ${who} ${others}`
}

const failedInWords: Readonly<Record<string, string>> = {
  none: 'Receivers are asked to deliver mail that fails the check',
  quarantine: 'Receivers are asked to treat mail that fails the check as suspicious',
  reject: 'Receivers are asked to refuse mail that fails the check',
}

function dmarcInWords(tags: ReadonlyMap<string, string>): string {
  const failed = failedInWords[tags.get('p')?.toLowerCase() ?? '']
  if (failed === undefined) return 'DMARC: the text has no policy that can be read.'
  const share = tags.get('pct')
  const part = share === undefined || share === '100' ? '' : `, for ${share} % of it`
  const hasReports = tags.has('rua') || tags.has('ruf')
  return `DMARC: ${failed}${part}. ${hasReports ? 'Reports are requested.' : 'No reports are requested.'}`
}

function dkimInWords(tags: ReadonlyMap<string, string>): string {
  const key = tags.get('p')
  if (key === undefined) return 'DKIM: the text has no key.'
  return key === '' ? 'DKIM: the key was revoked.' : 'DKIM: the public key with which receivers check signed mail.'
}
