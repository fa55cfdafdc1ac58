import { domainToASCII } from 'node:url'
import { type DnsRecord, MAX_DNS_ALIASES, MAX_DNS_RECORDS } from '@prospect/adapter-contract/dns'
import { readDomainName, unitOf } from '../../normalization/normalization.ts'
import { type DnsKind, type DnsReason, dnsKinds, type RecordedStatus } from '../domains.table.ts'
import { type Card, type Doubt, dnsLimits, type Reading } from './dns.schema.ts'
import { readTtl } from './observations.rules.ts'
import { readWhen } from './when.rules.ts'

/*
 * Parses the output of `dig` into one result per question. Pure. A missing or unreadable value stays empty, and a warning names its line. The parser
 * never guesses a value.
 */

type Section = 'QUESTION' | 'ANSWER' | 'AUTHORITY' | 'ADDITIONAL' | 'OPT' | null

type ResourceRecord = { owner: string; ttl: number; type: string; data: string; line: number }

type Block = {
  from: number
  to: number
  status: string | null
  flags: readonly string[]
  question: { name: string; type: string; line: number } | null
  answers: ResourceRecord[]
  authorities: ResourceRecord[]
  server: string | null
  when: { text: string; line: number } | null
  timedOut: boolean
  doubts: Doubt[]
}

const banner = /^; <<>> DiG\b.*?<<>>\s*(.*)$/
const header = /^;; ->>HEADER<<- opcode: (\w+), status: (\w+)/
const flags = /^;; flags:([^;]*);/
const sectionLine = /^;; (QUESTION|ANSWER|AUTHORITY|ADDITIONAL|OPT)\b/
const questionLine = /^;(\S+)\s+(?:IN\s+)?(\w+)\s*$/
const recordLine = /^(\S+)\s+(\d+)\s+IN\s+(\w+)\s+(.+)$/
const serverLine = /^;; SERVER: ([^#\s]+)/
const whenLine = /^;; WHEN: (.+)$/
const timeout = /timed out|no servers could be reached/

export function readDig(text: string): Reading {
  const lines = text.split(/\r\n|\n|\r/)
  const { blocks, outside } = blocksOf(lines)
  const cards = blocks.slice(0, dnsLimits.cards).map(cardOf)
  if (cards.length === 0 && outside.length === 0)
    outside.push(doubt(1, 'no_header', 'This holds no header of dig. Paste the whole output, not that of +short.'))
  return { cards, doubts: outside }
}

function doubt(line: number, code: Doubt['code'], message: string): Doubt {
  return { line, code, message }
}

function newBlock(from: number): Block {
  return {
    from,
    to: from,
    status: null,
    flags: [],
    question: null,
    answers: [],
    authorities: [],
    server: null,
    when: null,
    timedOut: false,
    doubts: [],
  }
}

function blocksOf(lines: readonly string[]): { blocks: Block[]; outside: Doubt[] } {
  const blocks: Block[] = []
  const outside: Doubt[] = []
  let block: Block | undefined
  let section: Section = null
  const begin = (line: number) => {
    block = newBlock(line)
    blocks.push(block)
    section = null
    return block
  }
  lines.forEach((text, index) => {
    const line = index + 1
    const asked = banner.exec(text)?.[1]
    if (asked !== undefined) {
      begin(line).question = questionOf(asked, line)
      return
    }
    if (header.test(text) && (block === undefined || block.status !== null)) begin(line)
    if (text.trim() === '') return
    const known = block ?? (recordLine.test(text) || questionLine.test(text) ? begin(line) : undefined)
    if (known === undefined) {
      outside.push(doubt(line, 'no_header', 'Nothing before this line says which question it answers.'))
      return
    }
    known.to = line
    const named = sectionLine.exec(text)?.[1]
    if (named !== undefined) section = named as Section
    else readLine(known, section, text, line)
  })
  return { blocks, outside: outside.slice(0, dnsLimits.cards) }
}

/** Parses the question from dig's banner, which is its only source if no server answered. */
function questionOf(asked: string, line: number): Block['question'] {
  const words = asked.split(/\s+/).filter((word) => !/^[+@-]/.test(word))
  const type = words.find((word) => kindOf(word.toUpperCase()) !== null)
  const name = words.find((word) => word !== type)
  return name === undefined || type === undefined ? null : { name, type: type.toUpperCase(), line }
}

function readLine(block: Block, section: Section, text: string, line: number): void {
  if (timeout.test(text) && text.startsWith(';')) {
    block.timedOut = true
    return
  }
  const status = header.exec(text)?.[2]
  const flagged = flags.exec(text)?.[1]
  const server = serverLine.exec(text)?.[1]
  const when = whenLine.exec(text)?.[1]
  if (status !== undefined) block.status = status
  else if (flagged !== undefined) block.flags = flagged.trim().split(/\s+/)
  else if (server !== undefined) block.server = server
  else if (when !== undefined) block.when = { text: when.trim(), line }
  else if (section === 'QUESTION' && text.startsWith(';')) {
    const [, name, type] = questionLine.exec(text) ?? []
    if (name !== undefined && type !== undefined) block.question = { name, type, line }
  } else if (!text.startsWith(';')) readRecord(block, section, text, line)
}

function readRecord(block: Block, section: Section, text: string, line: number): void {
  const [, owner, ttl, type, data] = recordLine.exec(text) ?? []
  if (owner === undefined || ttl === undefined || type === undefined || data === undefined) {
    block.doubts.push(doubt(line, 'unread_line', 'This line is no record that can be read and is left out.'))
    return
  }
  const record = { owner: nameOf(owner), ttl: readTtl(Number(ttl)), type, data: data.trim(), line }
  if (section === 'AUTHORITY') block.authorities.push(record)
  else if (section === 'ANSWER' || section === null) block.answers.push(record)
}

function cardOf(block: Block): Card {
  const { question, doubts } = block
  if (block.status === null && !block.timedOut)
    doubts.push(doubt(block.from, 'no_header', 'There is no header, so the status is not known. Choose it.'))
  if (question === null)
    doubts.push(doubt(block.from, 'no_question', 'There is no question: name and kind are not known.'))
  const kind = question === null ? null : kindOf(question.type)
  if (question !== null && kind === null)
    doubts.push(doubt(question.line, 'other_kind', `${question.type} is not recorded: only MX, NS and TXT are.`))
  const name = question === null ? '' : shownName(question.name)
  if (question !== null && unitOf(readDomainName(name)) === null)
    doubts.push(doubt(question.line, 'unresolved_name', 'This name belongs to no domain that somebody can hold.'))
  const isTruncated = block.flags.includes('tc')
  if (isTruncated) doubts.push(doubt(block.from, 'truncated', 'The answer was truncated: more records may exist.'))
  if (block.server === null)
    doubts.push(doubt(block.to, 'no_resolver', 'There is no SERVER line. Name the resolver that answered.'))
  const outcome = outcomeOf(block, kind, name)
  return {
    observation: {
      name,
      kind,
      ...outcome,
      source: block.server,
      observedAt: observedAtOf(block),
      isTruncated,
    },
    lines: { from: block.from, to: block.to },
    doubts: doubts.toSorted((one, other) => one.line - other.line),
  }
}

type Outcome = Pick<Card['observation'], 'status' | 'records' | 'ttl' | 'aliases' | 'errorReason'>

function outcomeOf(block: Block, kind: DnsKind | null, name: string): Outcome {
  const nothing: Outcome = { status: null, records: [], ttl: null, aliases: [], errorReason: null }
  const failed = (status: RecordedStatus, errorReason: DnsReason | null = null) => ({ ...nothing, status, errorReason })
  if (block.status === null) return block.timedOut ? failed('timeout') : answerOf(block, kind, name, nothing)
  switch (block.status) {
    case 'NOERROR':
    case 'NXDOMAIN':
      return answerOf(block, kind, name, nothing)
    case 'SERVFAIL':
      return failed('servfail')
    case 'REFUSED':
      return failed('blocked', 'refused')
    default:
      return failed('error', 'response_code')
  }
}

function answerOf(block: Block, kind: DnsKind | null, name: string, nothing: Outcome): Outcome {
  const chain = followChain(nameOf(name), block.answers)
  if ('reason' in chain) return { ...nothing, status: 'error', errorReason: chain.reason }
  const { aliases, end, ttl } = chain
  const found = block.answers.flatMap((record) => (record.owner === end ? recordsOf(record, kind) : []))
  const records = found.slice(0, MAX_DNS_RECORDS)
  if (found.length > records.length) {
    block.doubts.push(
      doubt(block.from, 'too_many_records', `Only ${MAX_DNS_RECORDS} of ${found.length} records can be recorded.`),
    )
    return { ...nothing, status: 'error', errorReason: 'too_many_records' }
  }
  if (block.status === null) return { ...nothing, aliases, records, status: records.length > 0 ? 'resolved' : null }
  if (records.length > 0 && block.status === 'NOERROR') {
    const lowest = Math.min(...records.map((record) => record.ttl), ...(ttl === null ? [] : [ttl]))
    return { ...nothing, status: 'resolved', records, aliases, ttl: lowest }
  }
  if (block.flags.includes('tc')) return { ...nothing, status: 'error', errorReason: 'truncated', aliases }
  const status = block.status === 'NXDOMAIN' ? 'nxdomain' : 'no_data'
  return { ...nothing, status, aliases, ttl: negativeTtl(block, end, ttl) }
}

type Chain = { aliases: string[]; end: string; ttl: number | null } | { reason: DnsReason }

function followChain(name: string, answers: readonly ResourceRecord[]): Chain {
  const targets = new Map(
    answers.filter(({ type }) => type === 'CNAME').map(({ owner, data, ttl }) => [owner, { to: nameOf(data), ttl }]),
  )
  const aliases: string[] = []
  let ttl: number | null = null
  let end = name
  for (let next = targets.get(end); next !== undefined; next = targets.get(end)) {
    if (next.to === name || aliases.includes(next.to)) return { reason: 'alias_loop' }
    if (aliases.length === MAX_DNS_ALIASES) return { reason: 'too_many_aliases' }
    aliases.push(next.to)
    ttl = Math.min(ttl ?? next.ttl, next.ttl)
    end = next.to
  }
  return { aliases, end, ttl }
}

/** Returns the TTL of a negative answer. By RFC 2308 it is the lower of the SOA record's TTL and the last number of the SOA record. */
function negativeTtl({ authorities }: Block, end: string, chainTtl: number | null): number | null {
  const soa = authorities.find(
    ({ type, owner }) => type === 'SOA' && (owner === '.' || `.${end}`.endsWith(`.${owner}`)),
  )
  if (soa === undefined) return null
  const minimum = Number(soa.data.split(/\s+/).at(-1))
  return Number.isInteger(minimum)
    ? Math.min(soa.ttl, readTtl(minimum), ...(chainTtl === null ? [] : [chainTtl]))
    : null
}

function recordsOf({ type, data, ttl }: ResourceRecord, kind: DnsKind | null): DnsRecord[] {
  if (kind === null || type !== kind) return []
  switch (kind) {
    case 'MX': {
      const [, preference, exchange] = /^(\d{1,5})\s+(\S+)$/.exec(data) ?? []
      return exchange === undefined || Number(preference) > 65_535
        ? []
        : [{ kind, preference: Number(preference), exchange: nameOf(exchange), ttl }]
    }
    case 'NS':
      return [{ kind, host: nameOf(data), ttl }]
    case 'TXT':
      return [{ kind, ...textOf(data), ttl }]
  }
}

/** Returns the joined strings of a TXT record, in which dig has escaped bytes outside ASCII as `\DDD`. */
function textOf(data: string): { text: string; isEscaped: boolean } {
  const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const joined = strings.join('')
  const bytes: number[] = []
  for (const [part, code, character] of joined.matchAll(/\\(\d{3})|\\(.)|[^\\]/gsu)) {
    if (code !== undefined) bytes.push(Number(code) & 0xff)
    else bytes.push(...Buffer.from(character ?? part))
  }
  const buffer = Buffer.from(bytes)
  const decoded = buffer.toString('utf8')
  const isText = Buffer.from(decoded).equals(buffer) && !/\p{Cc}/u.test(decoded)
  return isText ? { text: decoded, isEscaped: false } : { text: joined, isEscaped: true }
}

function kindOf(type: string): DnsKind | null {
  return dnsKinds.find((kind) => kind === type) ?? null
}

/** Formats a host name as stored answers do: lower case, without the final dot. `.` is the root. */
function nameOf(name: string): string {
  return name.toLowerCase().replace(/(?<=.)\.$/, '')
}

/** Formats a queried name in lower-case ASCII, because it may have been typed in another script. */
function shownName(name: string): string {
  const plain = nameOf(name)
  return domainToASCII(plain) || plain
}

function observedAtOf(block: Block): string | null {
  if (block.when === null) {
    block.doubts.push(doubt(block.to, 'no_time', 'There is no WHEN line. Enter when this was asked.'))
    return null
  }
  const { text, line } = block.when
  const at = readWhen(text)
  if (at === null)
    block.doubts.push(
      doubt(line, 'unknown_zone', 'The time zone of this time is not known. Enter when this was asked.'),
    )
  return at
}
