#!/usr/bin/env node
/*
 * Verifies files of a prospect platform without the platform: exports of an audit chain, inclusions of events, checkpoints, heads and registry
 * certificates. Needs Node 20 or later and nothing else. The formats are in docs/proof-format.md; docs/proof.md says what a result means.
 *
 *   node verify.mjs [--key <public key in PEM>]… [--withdrawn <public key in PEM>]… <file>…
 *
 * Exit codes: 0 proven, 1 contradicted (with the place), 2 unreadable (with the line), 3 proven only in part (with what is missing).
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'

const START = '0'.repeat(64)
const NEWLINE = 0x0a
const SPACE = 0x20
const MAX_LINE_BYTES = 64 * 1024 * 1024
const MAX_STATEMENT_BYTES = 16 * 1024 * 1024
const PURPOSES = ['prospect-platform registry certificate']
const CONTRADICTED = 1
const UNREADABLE = 2
const PARTLY = 3

/** Ends the reading of a file: what is wrong in it, and at which line. */
class Finding extends Error {
  constructor(code, sentence) {
    super(sentence)
    this.code = code
  }
}
const contradicted = (sentence) => new Finding(CONTRADICTED, sentence)
const unreadable = (sentence) => new Finding(UNREADABLE, sentence)

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isPlace = (value) => Number.isSafeInteger(value) && value > 0

/** RFC 8785 for objects, lists, texts, whole numbers, booleans and null. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

function parse(text, line) {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable(`line ${line} is not valid JSON`)
  }
}

function readKey(pem, where) {
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('not Ed25519')
    return { key, id: sha256(key.export({ type: 'spki', format: 'der' })) }
  } catch {
    throw unreadable(`${where} has no public key of Ed25519`)
  }
}

/** Whose signature it is: `known`, `withdrawn`, `unknown` (a key that was not given), or `invalid`. */
function signerOf({ known, withdrawn }, { bytes, signature, keyId = null, offered = [] }) {
  const fits = ({ key, id }) =>
    (keyId === null || keyId === id) && verify(null, bytes, key, Buffer.from(signature, 'base64url'))
  if (known.some(fits)) return 'known'
  if (withdrawn.some(fits)) return 'withdrawn'
  const isGiven = [...known, ...withdrawn, ...offered].some(({ id }) => id === keyId)
  return offered.some(fits) || (keyId !== null && !isGiven) ? 'unknown' : 'invalid'
}

/** Notes what a signature leaves open. Throws if it is invalid. */
function requireSigned(context, line, signed) {
  const signer = signerOf(context.keys, signed)
  if (signer === 'invalid') throw contradicted(`line ${line} was altered: its signature does not fit`)
  if (signer === 'known') return
  context.missing.push(
    signer === 'withdrawn'
      ? `line ${line} is signed by a withdrawn key, which proves nothing`
      : `line ${line} is signed by a key that was not given with --key`,
  )
}

/** Yields the lines of a file with their numbers. Only one line is in memory. `isWhole`: false for a last line without a line end. */
async function* linesOf(file) {
  let rest = []
  let length = 0
  let number = 1
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    let begin = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, begin)) {
      const part = chunk.subarray(begin, end)
      yield { number, bytes: rest.length === 0 ? part : Buffer.concat([...rest, part]), isWhole: true }
      rest = []
      length = 0
      number += 1
      begin = end + 1
    }
    rest.push(chunk.subarray(begin))
    length += chunk.length - begin
    if (length > MAX_LINE_BYTES) throw unreadable(`line ${number} is longer than ${MAX_LINE_BYTES} bytes`)
  }
  if (length > 0) yield { number, bytes: Buffer.concat(rest), isWhole: false }
}

/* Heads, checkpoints and statements. Each adds the event that it names to `expected`. */

function expect(context, { tenant, sequence, hash, at, where }) {
  const events = context.expected.get(tenant) ?? new Map()
  context.expected.set(tenant, events)
  const other = events.get(sequence)
  if (other !== undefined && other.hash !== hash)
    throw contradicted(`${where} and ${other.where} name different events ${sequence}: the chain was forked`)
  events.set(sequence, { hash, at, where })
}

async function readHeads(context, file) {
  const heads = []
  for await (const { number, bytes } of linesOf(file)) {
    if (bytes.length === 0) continue
    const { signature, ...head } = parse(bytes.toString(), number)
    if (head.v !== 1) throw unreadable(`line ${number} is a head of another version`)
    if (!isPlace(head.sequence) || !isHash(head.hash) || typeof signature !== 'string')
      throw unreadable(`line ${number} is not a head`)
    const signed = Buffer.from(canonical(['prospect-platform audit head', head]))
    requireSigned(context, number, { bytes: signed, signature, keyId: head.keyId })
    const where = `line ${number} of ${file}`
    expect(context, { ...head, where })
    heads.push({ ...head, number })
  }
  const newest = new Map()
  for (const head of heads.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
    const before = newest.get(head.tenant)
    if (before !== undefined && before.sequence > head.sequence)
      throw contradicted(
        `line ${head.number} is later than line ${before.number} and has fewer events: the chain was cut, or an older copy was restored`,
      )
    newest.set(head.tenant, head)
  }
  return `${heads.length} heads`
}

function checkpointBytes({ v, tenantId, sequence, hash, at, number, previous }) {
  const place = v === 1 ? [] : [number, previous]
  return Buffer.from(JSON.stringify(['prospect-platform audit checkpoint', v, tenantId, sequence, hash, at, ...place]))
}

function readCheckpoint(context, text, { line, offered = [] }) {
  const checkpoint = parse(text, line)
  if (checkpoint.v !== 1 && checkpoint.v !== 2) throw unreadable(`line ${line} is a checkpoint of another version`)
  const { sequence, hash, signature } = checkpoint
  if (!isPlace(sequence) || !isHash(hash) || typeof signature !== 'string')
    throw unreadable(`line ${line} is not a checkpoint`)
  requireSigned(context, line, { bytes: checkpointBytes(checkpoint), signature, offered })
  return checkpoint
}

async function readCheckpoints(context, file) {
  let last = { number: 0, hash: START }
  const newest = new Map()
  for await (const { number: line, bytes, isWhole } of linesOf(file)) {
    if (!isWhole) throw unreadable(`line ${line} is cut off`)
    const { v, number, previous, tenantId, ...rest } = readCheckpoint(context, bytes.toString(), { line })
    if (v === 2 && (number !== last.number + 1 || previous !== last.hash))
      throw contradicted(`line ${line} does not follow the line before: lines were removed, replaced or reordered`)
    last = { number: last.number + 1, hash: sha256(bytes) }
    newest.set(tenantId, { tenant: tenantId, ...rest, where: `line ${line} of ${file}` })
  }
  for (const checkpoint of newest.values()) expect(context, checkpoint)
  return `${last.number} checkpoints`
}

async function readStatement(context, file) {
  if (statSync(file).size > MAX_STATEMENT_BYTES) throw unreadable('it is too large for a signed statement')
  const { statement, signature, publicKey } = parse(readFileSync(file, 'utf8'), 1)
  if (typeof statement !== 'object' || typeof signature !== 'string') throw unreadable('line 1 is of no known format')
  if (statement.version !== 1) throw unreadable('line 1 is a statement of another version')
  const offered = [readKey(publicKey, 'line 1')]
  const signed = PURPOSES.map((purpose) => ({
    bytes: Buffer.from(canonical([purpose, statement])),
    signature,
    offered,
  }))
  const fitting = signed.find((one) => signerOf(context.keys, one) !== 'invalid')
  requireSigned(context, 1, fitting ?? signed[0])
  const { workspace, audit, issuedAt } = statement
  expect(context, { ...audit, tenant: workspace.id, at: issuedAt, where: file })
  return 'a registry certificate'
}

/* Proofs: a chain, or the inclusion of events */

async function readProof(context, file) {
  const proof = {
    last: { sequence: 0, hash: START },
    covered: 0,
    events: 0,
    hidden: 0,
    erasures: new Map(),
    isEnded: false,
  }
  for await (const { number, bytes, isWhole } of linesOf(file)) {
    if (!isWhole) throw unreadable(`line ${number} is cut off`)
    if (proof.isEnded) throw unreadable(`line ${number} is after the end`)
    const space = bytes.indexOf(SPACE)
    const word = bytes.toString('latin1', 0, Math.max(space, 0))
    const rest = bytes.subarray(space + 1)
    if (number === 1) readHeader(proof, rest, word)
    else if (Object.hasOwn(readers, word)) readers[word](context, proof, rest, number)
    else throw unreadable(`line ${number} begins with an unknown word`)
  }
  if (!proof.isEnded) throw unreadable('it is cut off: its last line is missing')
  return conclude(context, proof)
}

function readHeader(proof, rest, word) {
  const header = word === 'prospect-proof' ? parse(rest.toString(), 1) : {}
  if (header.v !== 1) throw unreadable('line 1 is a proof of another version')
  if (!['chain', 'inclusion'].includes(header.kind)) throw unreadable('line 1 is a proof of an unknown kind')
  proof.header = header
  proof.offered = header.keys.map((pem) => readKey(pem, 'line 1'))
}

/** Checks that an event follows the one before. In an inclusion another part begins after a checkpoint. */
function place(context, proof, { tenant, sequence, previous, hash, line }) {
  const { header, last, covered } = proof
  if (!isPlace(sequence) || !isHash(previous)) throw unreadable(`line ${line} is not an event`)
  if (tenant !== header.tenant) throw contradicted(`line ${line} is an event of another workspace`)
  closeLink(proof)
  const begins = header.kind === 'inclusion' && covered === last.sequence && sequence > last.sequence
  if (!begins && sequence !== last.sequence + 1)
    throw contradicted(`line ${line}: event ${last.sequence + 1} is missing, or events were reordered`)
  if (!begins && previous !== last.hash)
    throw contradicted(`line ${line}: event ${sequence} does not follow event ${last.sequence} in its current form`)
  const expected = context.expected.get(tenant)?.get(sequence)
  if (expected !== undefined && expected.hash !== hash)
    throw contradicted(
      `line ${line}: event ${sequence} is not the one in ${expected.where}: the chain was rewritten or forked`,
    )
  proof.last = { sequence, hash }
  proof.events += 1
}

/** Counts an event whose content is not in the file. */
function closeLink(proof) {
  if (proof.link !== undefined) proof.hidden += 1
  proof.link = undefined
}

const readers = {
  columns(context, proof, rest, line) {
    const event = parse(rest.toString(), line)
    if (event[0] !== 1 && event[0] !== 2) throw unreadable(`line ${line} is an event of another form`)
    const [, tenant, sequence, id] = event
    place(context, proof, { tenant, sequence, previous: event[14], hash: sha256(rest), line })
    checkErasure(proof, { id, action: event[6], after: event[11] }, line)
  },
  link(context, proof, rest, line) {
    const [form, tenant, sequence, previous, contentHash] = parse(rest.toString(), line)
    if (form !== 3) throw unreadable(`line ${line} is an event of another form`)
    place(context, proof, { tenant, sequence, previous, hash: sha256(rest), line })
    proof.link = { contentHash, sequence }
  },
  content(_context, proof, rest, line) {
    if (proof.link === undefined) throw unreadable(`line ${line} is content without its event`)
    if (sha256(rest) !== proof.link.contentHash)
      throw contradicted(`line ${line}: the content of event ${proof.link.sequence} was altered`)
    proof.link = undefined
    if (!rest.includes('"business.erase"')) return
    const content = parse(rest.toString(), line)
    checkErasure(proof, { id: content[1], action: content[4], after: content[9] }, line)
  },
  erased(context, proof, rest, line) {
    const space = rest.indexOf(SPACE)
    const [by, text] = [rest.toString('latin1', 0, Math.max(space, 0)), rest.subarray(space + 1)]
    const residue = parse(text.toString(), line)
    if (proof.header.kind !== 'chain') throw unreadable(`line ${line} is an erased event outside of a chain`)
    const [, tenant, sequence] = residue
    const [previous, hash] = [residue[11], residue[12]]
    if (!isHash(hash)) throw unreadable(`line ${line} is not an erased event`)
    if (proof.link === undefined) place(context, proof, { tenant, sequence, previous, hash, line })
    else if (proof.last.hash !== hash)
      throw contradicted(`line ${line}: the erased event is not event ${proof.last.sequence}`)
    proof.link = undefined
    const stated = proof.erasures.get(by) ?? {
      digest: createHash('sha256').update('['),
      events: 0,
      first: sequence,
      line,
    }
    stated.digest.update(`${stated.events === 0 ? '' : ','}[${sequence},"${sha256(text)}"]`)
    stated.events += 1
    proof.erasures.set(by, stated)
  },
  checkpoint(context, proof, rest, line) {
    const { tenantId, sequence, hash } = readCheckpoint(context, rest.toString(), { line, offered: proof.offered })
    const { header, last } = proof
    if (tenantId !== header.tenant || sequence !== last.sequence || hash !== last.hash)
      throw contradicted(`line ${line}: the checkpoint is of another event than event ${last.sequence}`)
    proof.covered = sequence
  },
  end(_context, proof, rest, line) {
    closeLink(proof)
    const { events } = parse(rest.toString(), line)
    if (events !== proof.events)
      throw contradicted(`line ${line}: the file has ${proof.events} events and states ${events}`)
    proof.isEnded = true
  },
}

/** Compares an erasure with the erased events before it. */
function checkErasure(proof, { id, action, after }, line) {
  if (action !== 'business.erase') return
  const redacted = parse(after ?? 'null', line)?.redacted
  const found = proof.erasures.get(id)
  proof.erasures.delete(id)
  if (redacted === undefined || (redacted.events === 0 && found === undefined)) return
  if (proof.header.kind === 'inclusion') return
  if (found?.events !== redacted.events || found.digest.update(']').digest('hex') !== redacted.digest)
    throw contradicted(`line ${line}: the erasure records other emptied events than the file has`)
}

function conclude(context, { header, last, covered, events, hidden, erasures }) {
  for (const { first } of erasures.values())
    throw contradicted(`event ${first} was emptied, and no erasure of the history records it`)
  const { tenant, kind, at } = header
  for (const [sequence, expected] of context.expected.get(tenant) ?? []) {
    if (sequence <= last.sequence || kind !== 'chain') continue
    if (Date.parse(expected.at) <= Date.parse(at))
      throw contradicted(`event ${sequence} is in ${expected.where} and is missing: the end of the chain was cut off`)
    context.missing.push(`event ${sequence} of ${expected.where} is newer than this file`)
  }
  if (covered < last.sequence) context.missing.push(`no checkpoint covers events ${covered + 1} to ${last.sequence}`)
  if (hidden > 0 && kind === 'chain') context.missing.push(`the content of ${hidden} events is not in it`)
  return kind === 'chain' ? `${events} events, proven to event ${covered}` : `an inclusion of ${events} events`
}

async function formatOf(file) {
  for await (const { bytes } of linesOf(file)) {
    const text = bytes.toString()
    if (text.startsWith('prospect-proof ')) return readProof
    if (/^\{.*"keyId":.*\}$/.test(text) && !text.includes('"statement"')) return readHeads
    if (/^\{.*"tenantId":.*\}$/.test(text) && !text.includes('"statement"')) return readCheckpoints
    if (text.startsWith('{')) return readStatement
    break
  }
  throw unreadable('line 1 is of no known format')
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string', multiple: true }, withdrawn: { type: 'string', multiple: true } },
  })
  if (positionals.length === 0) throw unreadable('no file was given')
  const load = (files = []) => files.map((file) => readKey(readFileSync(file, 'utf8'), file))
  const keys = { known: load(values.key), withdrawn: load(values.withdrawn) }
  const shared = { keys, expected: new Map() }
  const codes = new Set()
  const report = (file, code, sentence) => {
    codes.add(code)
    const word = ['proven', 'contradicted', 'unreadable', 'proven in part'][code]
    process.stdout.write(`${word}\t${file}\t${sentence}\n`)
  }
  const read = async (file, reader) => {
    const missing = []
    try {
      const what = await reader({ ...shared, missing }, file)
      const [first] = missing
      const more = missing.length > 1 ? `, and ${missing.length - 1} more` : ''
      if (first === undefined) report(file, 0, what)
      else report(file, PARTLY, `${what}; missing: ${first}${more}`)
    } catch (error) {
      if (error instanceof Finding) report(file, error.code, error.message)
      else report(file, UNREADABLE, error.code === 'ENOENT' ? 'there is no such file' : error.message)
    }
  }
  const proofs = []
  for (const file of positionals) {
    const reader = await formatOf(file).catch((error) => () => Promise.reject(error))
    if (reader === readProof) proofs.push(file)
    else await read(file, reader)
  }
  for (const file of proofs) await read(file, readProof)
  return [CONTRADICTED, UNREADABLE, PARTLY].find((code) => codes.has(code)) ?? 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = UNREADABLE
  },
)
