import {
  type DnsAnswer,
  type DnsQuery,
  type DnsRecord,
  MAX_DNS_ALIASES,
  MAX_DNS_RECORDS,
  MAX_NEGATIVE_TTL_SECONDS,
  MAX_TTL_SECONDS,
} from '@prospect/adapter-contract/dns'
import type { Message, ResourceRecord } from './message.ts'

/** Converts a message to the answer of a question. A pure function. */
export function answerOf(query: DnsQuery, message: Message): DnsAnswer {
  const base = {
    name: query.name,
    kind: query.kind,
    responseCode: message.responseCode,
    isTruncated: message.isTruncated,
    isAuthoritative: message.isAuthoritative,
    isPartial: false,
    reason: null,
    records: [],
    aliases: [],
    ttl: null,
  }
  const failed = (status: 'servfail' | 'blocked' | 'error', reason: DnsAnswer['reason']): DnsAnswer => ({
    ...base,
    status,
    reason,
  })

  if (message.responseCode === 2) return failed('servfail', null)
  if (message.responseCode === 5) return failed('blocked', 'refused')
  if (message.responseCode !== 0 && message.responseCode !== 3) return failed('error', 'response_code')
  if (message.hasTooManyAnswers) return failed('error', 'too_many_records')

  const chain = followAliases(query.name, message.answers)
  if (typeof chain === 'string') return failed('error', chain)
  const { aliases, end, ttls } = chain
  const records = message.answers.flatMap((record) =>
    nameOf(record.name) === end ? recordsOf(record, query.kind) : [],
  )
  if (records.length > MAX_DNS_RECORDS) return failed('error', 'too_many_records')

  if (message.responseCode === 0 && records.length > 0) {
    const ttl = Math.min(MAX_TTL_SECONDS, ...ttls, ...records.map((record) => record.ttl))
    return { ...base, status: 'resolved', aliases, records, ttl, isPartial: message.isTruncated }
  }
  if (message.isTruncated) return { ...failed('error', 'truncated'), aliases }
  const status = message.responseCode === 3 ? 'nxdomain' : 'no_data'
  return { ...base, status, aliases, ttl: negativeTtl(end, ttls, message.authorities) }
}

function followAliases(name: string, answers: readonly ResourceRecord[]) {
  const targets = new Map<string, { target: string; ttl: number }>()
  for (const record of answers) {
    const owner = nameOf(record.name)
    if (record.type === 'CNAME' && !targets.has(owner))
      targets.set(owner, { target: nameOf(record.data), ttl: ttlOf(record.ttl) })
  }
  const aliases: string[] = []
  const ttls: number[] = []
  let end = name
  for (let next = targets.get(end); next !== undefined; next = targets.get(end)) {
    if (next.target === name || aliases.includes(next.target)) return 'alias_loop'
    if (aliases.length === MAX_DNS_ALIASES) return 'too_many_aliases'
    aliases.push(next.target)
    ttls.push(next.ttl)
    end = next.target
  }
  return { aliases, ttls, end }
}

/** Returns the TTL of a negative answer. By RFC 2308 only the SOA record of a zone that contains the name limits it. */
function negativeTtl(name: string, ttls: readonly number[], authorities: readonly ResourceRecord[]): number | null {
  for (const record of authorities) {
    const zone = nameOf(record.name)
    const containsName = zone === '.' || name === zone || name.endsWith(`.${zone}`)
    if (record.type === 'SOA' && containsName)
      return Math.min(MAX_NEGATIVE_TTL_SECONDS, ttlOf(record.ttl), ttlOf(record.data.minimum), ...ttls)
  }
  return null
}

/** Converts the record if it is of the queried type; otherwise returns an empty list. */
function recordsOf(record: ResourceRecord, kind: DnsQuery['kind']): DnsRecord[] {
  if (record.type !== kind) return []
  const ttl = ttlOf(record.ttl)
  switch (record.type) {
    case 'MX':
      return [{ kind: 'MX', preference: record.data.preference ?? 0, exchange: nameOf(record.data.exchange), ttl }]
    case 'NS':
      return [{ kind: 'NS', host: nameOf(record.data), ttl }]
    case 'TXT':
      return [{ kind: 'TXT', ...textOf([record.data].flat()), ttl }]
  }
}

/** Returns the TTL of a record. By RFC 2181 a TTL with the highest bit set is 0. */
function ttlOf(ttl = 0): number {
  return ttl >= 2 ** 31 ? 0 : ttl
}

/** Returns a name in lower case with escaped bytes. A label can contain any byte, so bytes that a screen or a log could interpret must be escaped. */
function nameOf(name: string): string {
  return escapeBytes(Buffer.from(name.toLowerCase())).replace(/(?<=.)\.$/, '')
}

function textOf(strings: readonly (string | Buffer)[]): { text: string; isEscaped: boolean } {
  const bytes = Buffer.concat(strings.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const isText = Buffer.from(text).equals(bytes) && !/\p{Cc}/u.test(text)
  return isText ? { text, isEscaped: false } : { text: escapeBytes(bytes, 0x20), isEscaped: true }
}

/** Escapes the backslash and each byte outside printable ASCII as `\DDD` (RFC 1035). In names the space is escaped too. */
function escapeBytes(bytes: Buffer, lowest = 0x21): string {
  const escaped = (byte: number) => `\\${String(byte).padStart(3, '0')}`
  return [...bytes]
    .map((byte) => (byte < lowest || byte > 0x7e || byte === 0x5c ? escaped(byte) : String.fromCharCode(byte)))
    .join('')
}
