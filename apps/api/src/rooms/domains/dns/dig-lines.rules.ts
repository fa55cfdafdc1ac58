import { type Doubt, dnsLimits } from './dns.schema.ts'
import { readTtl } from './observations.rules.ts'

/*
 * Divides the output of `dig`, `kdig`, `drill` and `host -v` into blocks: one for each question, with its header, its records and the doubts of its
 * lines. Pure. A line that cannot be read is named, and marks its block as damaged if an answer could have been lost with it.
 */

export type ResourceRecord = {
  owner: string
  /** null: the output omits TTLs, as with `+nottlid` */
  ttl: number | null
  type: string
  data: string
}

/** Why no answer was received. */
export type Failure = 'timeout' | 'connection_failed' | 'malformed'

export type Block = {
  from: number
  to: number
  /** from the header of a response; null without a header */
  status: string | null
  flags: readonly string[] | null
  /** number of answers by the header */
  answerCount: number | null
  question: { name: string; type: string; line: number } | null
  answers: ResourceRecord[]
  authorities: ResourceRecord[]
  server: string | null
  when: { text: string; line: number } | null
  failure: Failure | null
  /** true if an answer may be missing: a line was not read, or the program reports a malformed message */
  isDamaged: boolean
  /** true for the output of `+trace`: answers of several servers without their headers */
  isTrace: boolean
  doubts: Doubt[]
}

type Section = 'QUESTION' | 'ANSWER' | 'AUTHORITY' | 'ADDITIONAL' | 'OPT' | 'END' | null

const banner = /^; <<>> DiG\b.*?<<>>\s*(.*)$/
const command = /^(?:.*[$#%>❯➜]\s*)?(?:k?dig|drill)(?:\.exe)?\s+(\S.*)$/
const header = /^;+ ?(?:->>HEADER<<- )?opcode: \w+[,;] (?:status|rcode): (\w+)/
const flagsLine = /^;+ ?flags: ?([^;]*);(.*)$/i
const sectionLine = /^;; ?(?:(QUESTION|ANSWER|AUTHORITY|ADDITIONAL) SECTION|\w+ PSEUDOSECTION)\b/
const questionLine = /^;+\s*(\S+)\s+(?:(?:IN|CLASS1)\s+)?([A-Z][A-Z0-9]*)$/
const serverLine = /^;; (?:SERVER: ([^#\s]+)|From ([^@\s]+)@)/
const receivedLine = /^(?:;; )?Received \d+ bytes from ([^#\s]+)#/
const whenLine = /^;; (?:WHEN: |Time (?=\d{4}-))(.+)$/
const endLine = /^;; (?:Query time:|MSG SIZE|Received \d+ B\b)/
const malformed = /got bad packet|bad label type|malformed message packet|extra bytes at end|mismatch/i
const timeout = /timed out|response timeout/
const unreachable = /connection refused|unreachable|failed to query server|couldn't get address|error sending query/
const noServer = /no servers could be reached/
const prompt = /^(?:\S*[$#%>❯➜]|```\w*|exit)$/
const ended = new Set<Section>(['AUTHORITY', 'ADDITIONAL', 'OPT', 'END'])

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
const ttlForm = /^(?:\d{1,10}|(?:\d{1,8}[wdhms])+)$/i
const classForm = /^(?:IN|CLASS1)$/
const isOtherClass = /^(?:CH|HS|CLASS\d+)$/
const knownType = /^(?:MX|NS|TXT|A|AAAA|ANY|CNAME|DNAME|SOA|SRV|CAA|DNSKEY|DS|PTR|RRSIG|SPF)$/i
const typeForm = /^[A-Z][A-Z0-9-]*$/

/** Divides a text into blocks. `outside`: doubts about lines that belong to no block. Line numbers start at 1. */
export function blocksOf(text: string): { blocks: Block[]; outside: Doubt[] } {
  const reader = new BlockReader()
  text.split(/\r\n|\n|\r/).forEach((line, index) => {
    reader.read(plainLine(line), index + 1)
  })
  reader.closeRecord()
  return { blocks: reader.blocks, outside: reader.outside }
}

export function doubt(line: number, code: Doubt['code'], message: string): Doubt {
  return { line, code, message }
}

/**
 * Returns a line with plain spaces and quotation marks, without the marks of a quotation in a message. The programs print ASCII alone, so any other
 * space, invisible character or typographic mark comes from the program in which the text was copied.
 */
function plainLine(line: string): string {
  return line
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\t\p{Zs}]/gu, ' ')
    .replace(/[“”„]/g, '"')
    .trim()
    .replace(/^(?:> ?)+/, '')
    .trim()
}

function newBlock(from: number): Block {
  return {
    from,
    to: from,
    status: null,
    flags: null,
    answerCount: null,
    question: null,
    answers: [],
    authorities: [],
    server: null,
    when: null,
    failure: null,
    isDamaged: false,
    isTrace: false,
    doubts: [],
  }
}

class BlockReader {
  readonly blocks: Block[] = []
  readonly outside: Doubt[] = []
  private block: Block | undefined
  private section: Section = null
  /** true if the current block began with a typed command */
  private isTyped = false
  /** what the program reported before the first line of the next block */
  private before: { failure: Failure | null; doubts: Doubt[] } = { failure: null, doubts: [] }
  /** a record in parentheses that is not closed yet */
  private open: { text: string; line: number; depth: number } | undefined

  read(text: string, line: number): void {
    const printed = banner.exec(text)?.[1]
    const asked = printed ?? command.exec(text)?.[1]
    const question = asked === undefined ? null : questionOf(asked, line)
    if (asked !== undefined && (printed !== undefined || question !== null)) {
      // The typed command stands before the output, whose banner repeats it.
      const isRepeated = printed !== undefined && this.isTyped
      const block = isRepeated && this.block !== undefined ? this.block : this.begin(line)
      this.isTyped = printed === undefined
      block.question = question ?? block.question
      block.isTrace ||= /\+trace\b/.test(asked)
      block.to = line
      return
    }
    if (this.open !== undefined && (text === '' || text.startsWith(';;'))) this.closeRecord()
    if (text === '') return
    const status = header.exec(text)?.[1]
    if (status !== undefined) {
      this.readHeader(status, line)
      return
    }
    const isRecord = recordOf(withoutComment(text).text) !== null
    if (this.block === undefined || this.section === 'END') {
      if (isReport(text)) {
        this.readReport(this.before, text, line)
        return
      }
      if (isRecord || (this.block === undefined && /^;(?![;\s])/.test(text))) this.begin(line)
    }
    if (this.block !== undefined) {
      this.readLine(this.block, text, line)
      return
    }
    if (!text.startsWith(';') && !prompt.test(text))
      this.outside.push(doubt(line, 'no_header', 'No line before this line shows the question that it answers.'))
  }

  /** Ends a record whose parentheses are not closed: the line with which it began was not read. */
  closeRecord(): void {
    const { open, block } = this
    this.open = undefined
    if (open !== undefined && block !== undefined) this.markUnread(block, open.line)
  }

  private begin(line: number): Block {
    this.closeRecord()
    const block = newBlock(line)
    block.failure = this.before.failure
    block.doubts.push(...this.before.doubts)
    block.isDamaged = this.before.doubts.length > 0
    this.before = { failure: null, doubts: [] }
    this.blocks.push(block)
    this.block = block
    this.section = null
    this.isTyped = false
    return block
  }

  private readHeader(status: string, line: number): void {
    const { block } = this
    this.isTyped = false
    if (block !== undefined && this.section !== 'END' && !isResponse(block)) {
      // Only the question is known so far: from the banner, or from the query that `+qr` prints before its response.
      Object.assign(block, { status, flags: null, answerCount: null, answers: [], authorities: [], to: line })
      this.section = null
      return
    }
    // Also `drill -V 5` prints the query first, as a message with statistics of its own.
    if (block !== undefined && block.flags !== null && !block.flags.includes('qr')) this.blocks.pop()
    const next = this.begin(line)
    next.status = status
  }

  private readLine(block: Block, text: string, line: number): void {
    block.to = Math.max(block.to, line)
    if (this.open !== undefined) {
      this.readRecord(block, text, line)
      return
    }
    const section = sectionLine.exec(text)
    const flagged = block.status !== null && block.flags === null ? flagsLine.exec(text) : null
    const server = serverLine.exec(text)
    const received = receivedLine.exec(text)?.[1]
    const when = whenLine.exec(text)?.[1]
    if (section !== null) this.section = (section[1] as Section | undefined) ?? 'OPT'
    else if (flagged !== null) {
      const [, names = '', counts = ''] = flagged
      block.flags = names.split(/\s+/).filter((flag) => flag !== '')
      const count = /\bANSWER: (\d+)/.exec(counts)?.[1]
      block.answerCount = count === undefined ? null : Number(count)
    } else if (server !== null) {
      block.server = server[1] ?? server[2] ?? null
      this.section = 'END'
    } else if (received !== undefined) {
      if (block.status === null) block.isTrace = true
      block.server ??= received
      if (block.status !== null) this.section = 'END'
    } else if (when !== undefined) {
      block.when = { text: when.trim(), line }
      this.section = 'END'
    } else if (endLine.test(text)) this.section = 'END'
    else if (isReport(text)) {
      this.readReport(block, text, line)
      if (noServer.test(text)) this.section = 'END'
    } else if (text.startsWith(';')) this.readQuestion(block, text, line)
    else this.readRecord(block, text, line)
  }

  private readQuestion(block: Block, text: string, line: number): void {
    if (this.section !== 'QUESTION' && (this.section !== null || !/^;(?![;\s])/.test(text))) return
    const [, name, type] = questionLine.exec(text) ?? []
    if (name !== undefined && type !== undefined) block.question = { name, type, line }
  }

  private readReport(
    to: { failure: Failure | null; doubts: Doubt[]; isDamaged?: boolean },
    text: string,
    line: number,
  ) {
    if (malformed.test(text)) {
      if (/got bad packet/i.test(text)) to.failure ??= 'malformed'
      to.doubts.push(doubt(line, 'incomplete', 'The program reports a malformed message: answers may be missing.'))
      if (to.isDamaged !== undefined) to.isDamaged = true
    } else if (unreachable.test(text)) to.failure ??= 'connection_failed'
    else to.failure ??= 'timeout'
  }

  /** Reads a line of a record. A record in parentheses continues until they are closed. */
  private readRecord(block: Block, text: string, line: number): void {
    const started = this.open ?? { text: '', line, depth: 0 }
    const { text: own, depth: change, isQuoteOpen } = withoutComment(text)
    const content = `${started.text} ${own}`.trim()
    const depth = started.depth + change
    if (content === '') return
    if (depth > 0 && !isQuoteOpen) {
      this.open = { text: content, line: started.line, depth }
      return
    }
    this.open = undefined
    const record = isQuoteOpen || depth !== 0 ? null : recordOf(withoutParentheses(content))
    if (record === null) {
      if (!prompt.test(text) && block.failure !== 'malformed') this.markUnread(block, started.line)
    } else if (this.section === 'AUTHORITY') block.authorities.push(record)
    else if (this.section === 'ANSWER' || this.section === null) block.answers.push(record)
  }

  private markUnread(block: Block, line: number): void {
    const named = block.doubts.filter(({ code }) => code === 'unread_line').length
    if (named < dnsLimits.unreadLines)
      block.doubts.push(doubt(line, 'unread_line', 'This line cannot be read as a record and is left out.'))
    if (!ended.has(this.section)) block.isDamaged = true
  }
}

/** Returns true if a block holds the header of a response, and not that of a query. */
export function isResponse({ status, flags }: Block): boolean {
  return status !== null && (flags === null || flags.includes('qr'))
}

function isReport(text: string): boolean {
  return (
    (text.startsWith(';') || text.startsWith('Error:')) &&
    !/\bEDE:/.test(text) &&
    (malformed.test(text) || timeout.test(text) || unreachable.test(text) || noServer.test(text))
  )
}

/** Parses the question from the words of a command, which are its only source if no server answered. Options of one letter may take a value. */
function questionOf(asked: string, line: number): Block['question'] {
  const words = asked
    .replace(/(^|\s)-[tqc]\s+/g, '$1')
    .split(/\s+/)
    .filter((word) => !/^[+@-]/.test(word) && !/^(?:IN|\d+)$/i.test(word))
  const type = words.find((word) => knownType.test(word))
  const name = words.find((word) => word !== type && word.includes('.'))
  if (name === undefined) return null
  return { name, type: (type ?? 'A').toUpperCase(), line }
}

function withoutParentheses(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\\.|[()]/g, (part) => (part === '(' || part === ')' ? ' ' : part))
}

/**
 * Returns a line of a record without its comment, with the number of parentheses that it leaves open. Quoted strings and escaped characters belong to
 * the record.
 */
function withoutComment(text: string): { text: string; depth: number; isQuoteOpen: boolean } {
  let depth = 0
  let isQuoteOpen = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at += 1
    else if (sign === '"') isQuoteOpen = !isQuoteOpen
    else if (isQuoteOpen) continue
    else if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    else if (sign === ';') return { text: text.slice(0, at).trim(), depth, isQuoteOpen }
  }
  return { text, depth, isQuoteOpen }
}

/**
 * Parses a record: owner, TTL, class, type and data. TTL and class may be missing (`+nottlid`, `+noclass`), and a TTL may have units (`+ttlunits`).
 * Without both, only a final dot of the owner and a known type distinguish a record from a sentence.
 */
function recordOf(text: string): ResourceRecord | null {
  const [owner, afterOwner] = firstWord(text)
  let rest = afterOwner
  let ttl: number | null = null
  let isIdentified = false
  if (owner.startsWith(';')) return null
  for (;;) {
    const [word, after] = firstWord(rest)
    if (ttl === null && ttlForm.test(word)) ttl = secondsOf(word)
    else if (classForm.test(word)) isIdentified = true
    else if (isOtherClass.test(word)) return null
    else break
    rest = after
  }
  const [type, data] = firstWord(rest)
  if (!typeForm.test(type) || data === '') return null
  if (ttl === null && !isIdentified && !(owner.endsWith('.') && knownType.test(type))) return null
  return { owner, ttl, type, data: data.trim() }
}

function firstWord(text: string): [word: string, rest: string] {
  const [, word = '', rest = ''] = /^(\S*) *(.*)$/.exec(text) ?? []
  return [word, rest]
}

function secondsOf(text: string): number {
  if (/^\d+$/.test(text)) return readTtl(Number(text))
  const parts = [...text.toLowerCase().matchAll(/(\d+)([wdhms])/g)]
  return readTtl(parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (unitSeconds[unit] ?? 1), 0))
}
