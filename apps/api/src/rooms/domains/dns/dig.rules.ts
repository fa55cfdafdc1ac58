import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { type DnsRecord, MAX_DNS_ALIASES, MAX_DNS_RECORDS } from '@prospect/adapter-contract/dns'
import { readOwnerName, unitOf } from '../../normalization/normalization.ts'
import { type DnsKind, type DnsReason, dnsKinds, type RecordedStatus } from '../domains.table.ts'
import { type Block, blocksOf, doubt, isResponse, type ResourceRecord } from './dig-lines.rules.ts'
import {
  type Card,
  type Doubt,
  dnsLimits,
  type Reading,
  type ReadOnlyAnswer,
  type ReadOnlyKind,
  readOnlyKinds,
} from './dns.schema.ts'
import { readTtl } from './observations.rules.ts'
import { readWhen } from './when.rules.ts'

/*
 * Parses the output of `dig` into one result per question. Pure. A missing or unreadable value stays empty, and a doubt names its line. The parser
 * never guesses a value. Only an answer that was read whole is `no_data` or `nxdomain` (specification, Phase 7 §2): the number of answers in the
 * header must be that of the records that were read.
 */

export function readDig(text: string): Reading {
  const { blocks, outside } = blocksOf(text)
  if (blocks.length === 0) return { cards: [], doubts: [formDoubt(text)] }
  return { cards: blocks.slice(0, dnsLimits.cards).map(cardOf), doubts: outside.slice(0, dnsLimits.cards) }
}

/** Forms that the programs for questions to name servers print, but from which no status can be read. */
const otherForms: readonly [form: RegExp, message: string][] = [
  [
    /^[ \t]*(?:-[ \t]*)?(?:type: MESSAGE|response_message_data:)/m,
    'This is the output of +yaml, which is not read. Run dig without +yaml.',
  ],
  [/^\s*[[{]/, 'This is JSON, which is not read. Paste the output of dig as it is printed.'],
  [
    /^[ \t]*(?:Non-authoritative answer|\*\*\* |Server:\s|DNS request timed out)|\s(?:mail exchanger|nameserver|text) = /im,
    'This is the output of nslookup, which omits the status and the TTLs. Run dig and paste its whole output.',
  ],
  [
    /\b(?:mail is handled by|name server|descriptive text|has (?:no \w+ record|(?:IPv6 )?address)|not found: \d)/,
    'This is the output of host, which omits the status and the TTLs. Run host -v or dig and paste the whole output.',
  ],
  [
    /^[ \t]*(?:\d{1,5}[ \t]+\S+\.|"[^"\n]*"(?:[ \t]+"[^"\n]*")*|[\w.-]+\.)[ \t]*$/m,
    'This holds no header of dig. Paste the whole output, not that of +short, which omits name, status and TTLs.',
  ],
]

function formDoubt(text: string): Doubt {
  const message = otherForms.find(([form]) => form.test(text))?.[1]
  return message === undefined
    ? doubt(
        1,
        'no_header',
        'This holds no header of dig. Paste the whole output of a command such as dig example.co.za MX.',
      )
    : doubt(1, 'other_form', message)
}

function cardOf(block: Block): Card {
  const { question, doubts } = block
  if (block.isTrace && block.status === null)
    doubts.push(
      doubt(block.from, 'other_form', 'This is the output of +trace. Run dig without it, so that one server answers.'),
    )
  else if (!isResponse(block) && block.failure === null)
    doubts.push(
      doubt(
        block.from,
        'no_header',
        block.answers.length > 0
          ? 'There is no header: whether these are all answers is not known, and the observation is partial.'
          : 'There is no header, so the status is not known. Choose it.',
      ),
    )
  if (question === null)
    doubts.push(doubt(block.from, 'no_question', 'There is no question: name and kind are not known.'))
  const kind = question === null ? null : kindOf(question.type)
  const readOnlyKind = readOnlyKinds.find((one) => one === question?.type)
  if (question !== null && kind === null)
    doubts.push(
      doubt(
        question.line,
        'other_kind',
        readOnlyKind === undefined
          ? `${question.type} is not read: only MX, NS and TXT are recorded.`
          : `${readOnlyKind} is read here and not recorded: only MX, NS and TXT are.`,
      ),
    )
  const name = question === null ? '' : shownName(question.name)
  if (question !== null && unitOf(readOwnerName(name)) === null)
    doubts.push(doubt(question.line, 'unresolved_name', 'This name belongs to no domain that somebody can hold.'))
  const isTruncated = block.flags?.includes('tc') === true
  if (isTruncated) doubts.push(doubt(block.from, 'truncated', 'The answer was truncated: more records may exist.'))
  if (block.server === null)
    doubts.push(doubt(block.to, 'no_resolver', 'There is no SERVER line. Enter the resolver that answered.'))
  const readOnly = readOnlyKind === undefined ? null : readOnlyAnswerOf(block, readOnlyKind, name)
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
    readOnly,
    lines: { from: block.from, to: block.to },
    doubts: doubts.toSorted((one, other) => one.line - other.line),
  }
}

type Outcome = Pick<Card['observation'], 'status' | 'records' | 'ttl' | 'aliases' | 'isPartial' | 'errorReason'>
type Read<Found> = Omit<Outcome, 'records'> & { records: Found[] }

const nothing: Read<never> = {
  status: null,
  records: [],
  ttl: null,
  aliases: [],
  isPartial: false,
  errorReason: null,
}

function outcomeOf(block: Block, kind: DnsKind | null, name: string): Outcome {
  return readOutcome(block, () =>
    kind === null ? nothing : answerOf(block, { type: kind, name, read: (record) => recordOf(record, kind) }),
  )
}

/** Reads an answer for addresses or an alias by the rules of the recorded kinds. */
function readOnlyAnswerOf(block: Block, kind: ReadOnlyKind, name: string): ReadOnlyAnswer {
  const read = (record: ResourceRecord) => readOnlyRecordOf(record, kind)
  const { ttl: _, ...answer } = readOutcome(block, () => answerOf(block, { type: kind, name, read }))
  return { kind, ...answer }
}

function readOnlyRecordOf({ data, ttl }: ResourceRecord, kind: ReadOnlyKind): { value: string; ttl: number } | null {
  const isValid = { A: isIPv4, AAAA: isIPv6, CNAME: (value: string) => !/\s/.test(value) }[kind]
  if (!isValid(data)) return null
  return { value: kind === 'CNAME' ? nameOf(data) : data, ttl: ttl ?? 0 }
}

/** Returns the outcome of a question. `read`: reads the answer, if there is one. */
function readOutcome<Found>(block: Block, read: () => Read<Found>): Read<Found> {
  const failed = (status: RecordedStatus, errorReason: DnsReason | null = null) => ({ ...nothing, status, errorReason })
  const answered = () => (block.isTrace ? nothing : read())
  if (!isResponse(block)) {
    if (block.failure === null) return answered()
    return block.failure === 'timeout' ? failed('timeout') : failed('error', block.failure)
  }
  switch (block.status) {
    case 'NOERROR':
    case 'NXDOMAIN':
      return answered()
    case 'SERVFAIL':
      return failed('servfail')
    case 'REFUSED':
      return failed('blocked', 'refused')
    default:
      return failed('error', 'response_code')
  }
}

/** `type`: the queried type of records, which `read` reads. */
type Asked<Found> = { type: string; name: string; read: (record: ResourceRecord) => Found | null }

function answerOf<Found extends { ttl: number }>(block: Block, { type, name, read }: Asked<Found>): Read<Found> {
  const failed = (errorReason: DnsReason, aliases: string[] = []) =>
    ({ ...nothing, status: 'error', errorReason, aliases }) as const
  const answers = block.answers.map((answer) => ({ ...answer, owner: shownName(answer.owner) }))
  // The alias itself answers a question for it. Other questions are answered at the end of the chain.
  const chain: Chain =
    type === 'CNAME' ? { aliases: [], end: shownName(name), ttl: null } : followChain(shownName(name), answers)
  if ('reason' in chain) return failed(chain.reason)
  const { aliases, end, ttl } = chain
  const ofType = answers.filter((answer) => answer.owner === end && answer.type === type)
  const found = ofType.flatMap((record) => read(record) ?? [])
  if (found.length > MAX_DNS_RECORDS) {
    block.doubts.push(
      doubt(block.from, 'too_many_records', `Only ${MAX_DNS_RECORDS} of ${found.length} records can be recorded.`),
    )
    return failed('too_many_records')
  }
  const isComplete = isReadWhole(block, ofType.length - found.length)
  const isTruncated = block.flags?.includes('tc') === true
  const isWithoutTtl = ofType.some((record) => record.ttl === null)
  if (found.length > 0 && isWithoutTtl)
    block.doubts.push(doubt(block.from, 'no_ttl', 'The records have no TTL, which counts as 0: the answer is stale.'))
  const resolved = {
    ...nothing,
    status: 'resolved',
    records: found,
    aliases,
    isPartial: !isComplete || isTruncated,
  } as const
  if (!isResponse(block)) return found.length > 0 ? resolved : nothing
  if (found.length > 0 && block.status === 'NOERROR')
    return { ...resolved, ttl: Math.min(...found.map((record) => record.ttl), ...(ttl === null ? [] : [ttl])) }
  if (isTruncated) return failed('truncated', aliases)
  if (!isComplete) return failed('incomplete', aliases)
  const strays = answers.filter((answer) => !isOfChain(answer, [name, ...aliases]))
  if (strays.length > 0) {
    block.doubts.push(doubt(block.from, 'mismatched', `The answers are not about ${type} of ${name}.`))
    return failed('mismatched', aliases)
  }
  if (block.status === 'NOERROR' && isReferral(block)) {
    block.doubts.push(
      doubt(
        block.from,
        'referral',
        'This server did not answer and referred to others. Ask a resolver, or one of those.',
      ),
    )
    return failed('referral', aliases)
  }
  const status = block.status === 'NXDOMAIN' ? 'nxdomain' : 'no_data'
  return { ...nothing, status, aliases, ttl: negativeTtl(block, end, ttl) }
}

/**
 * Returns true if each answer that the header announces was read. Otherwise adds a doubt. An answer that was not read whole never proves that records
 * are missing. `unreadable`: number of records of the kind whose data cannot be read.
 */
function isReadWhole(block: Block, unreadable: number): boolean {
  if (!isResponse(block)) return false
  const { answerCount, answers, from } = block
  const read = answers.length - unreadable
  if (answerCount === null)
    block.doubts.push(doubt(from, 'incomplete', 'The header has no number of answers, so some may be missing.'))
  else if (answerCount !== read)
    block.doubts.push(
      doubt(from, 'incomplete', `The header announces ${answerCount} answers, and ${read} could be read.`),
    )
  return answerCount === read && !block.isDamaged
}

/** Returns true for the records that lead from the queried name to the end of its chain of aliases. */
function isOfChain({ owner, type }: ResourceRecord, names: readonly string[]): boolean {
  if (type === 'DNAME' || type === 'RRSIG' || type === 'SIG') return true
  return type === 'CNAME' && names.includes(owner)
}

/** Returns true if the server neither holds the zone nor asks others, or names the servers of another zone instead of an answer (RFC 2308, 2.2). */
function isReferral({ flags, authorities }: Block): boolean {
  if (flags === null || flags.includes('aa')) return false
  const types = authorities.map(({ type }) => type)
  return !flags.includes('ra') || (types.includes('NS') && !types.includes('SOA'))
}

type Chain = { aliases: string[]; end: string; ttl: number | null } | { reason: DnsReason }

function followChain(name: string, answers: readonly ResourceRecord[]): Chain {
  const targets = new Map(
    answers
      .filter(({ type }) => type === 'CNAME')
      .map(({ owner, data, ttl }) => [owner, { to: shownName(data), ttl: ttl ?? 0 }]),
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
  const soa = authorities.find(({ type, owner }) => type === 'SOA' && isInZone(end, shownName(owner)))
  const minimum = Number(soa?.data.split(/\s+/).at(-1))
  if (soa === undefined || soa.ttl === null || !Number.isInteger(minimum)) return null
  return Math.min(soa.ttl, readTtl(minimum), ...(chainTtl === null ? [] : [chainTtl]))
}

function isInZone(name: string, zone: string): boolean {
  return zone === '.' || `.${name}`.endsWith(`.${zone}`)
}

/** Converts a record of this kind. Returns null if its data cannot be read, also where `+unknownformat` prints it as bytes. */
function recordOf({ data, ttl: printed }: ResourceRecord, kind: DnsKind): DnsRecord | null {
  const ttl = printed ?? 0
  if (data.startsWith('\\#')) return null
  switch (kind) {
    case 'MX': {
      const [, preference, exchange] = /^(\d{1,5})\s+(\S+)$/.exec(data) ?? []
      return exchange === undefined || Number(preference) > 65_535
        ? null
        : { kind, preference: Number(preference), exchange: nameOf(exchange), ttl }
    }
    case 'NS':
      return /\s/.test(data) ? null : { kind, host: nameOf(data), ttl }
    case 'TXT':
      return { kind, ...textOf(data), ttl }
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
    block.doubts.push(doubt(block.to, 'no_time', 'There is no WHEN line. Enter the time of the query.'))
    return null
  }
  const { text, line } = block.when
  const at = readWhen(text)
  if (at === null)
    block.doubts.push(
      doubt(line, 'unknown_zone', 'This time or its time zone is not known. Enter the time of the query.'),
    )
  return at
}
