/**
 * Verification of a long chain by `proof/verify.mjs`: seconds, processor time and memory for a million events with a checkpoint after every 5,000; and the
 * time of signing a head beside that of a checkpoint.
 *
 * npm run bench:proof -- [--events 1000000]
 */
import { spawn } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sha256 } from '../apps/api/src/lib/hashing.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { CHECKPOINTS_START, signCheckpoint } from '../apps/api/src/rooms/audit/checkpoints/checkpoint.ts'
import { signHead } from '../apps/api/src/rooms/audit/heads/head.ts'
import { checkpointLine, endLine, eventLines, headerLine } from '../apps/api/src/rooms/audit/proof/proof-lines.ts'
import { auditEventHash, auditEventId, CHAIN_START, newSalt } from '../apps/api/src/store/change/audit-chain.ts'
import { countOption } from './figures.ts'
import { describeMachine, table, verdict } from './report.ts'

const CHECKPOINT_EVERY = 5_000
const EVENTS_A_PART = 500
const SIGNATURES = 2_000
const AIM_SECONDS = 20
const AIM_HEAD_MS = 1

const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } })
const events = countOption(values, 'events')
const { privateKey } = generateKeyPairSync('ed25519')
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
const tenant = newId()
const at = new Date().toISOString()

/** Yields the lines of a chain in parts. An event has some 600 bytes of content, as the edit of a record has. */
function* chainLines(): Generator<string> {
  yield `${headerLine({ kind: 'chain', store: newId(), tenant, at, keys: [publicKey] })}\n`
  let previousHash = CHAIN_START
  let last = CHECKPOINTS_START
  let lines: string[] = []
  for (let sequence = 1; sequence <= events; sequence++) {
    const businessId = newId()
    const unsealed = {
      tenant_id: tenant,
      sequence,
      id: auditEventId(sequence),
      at,
      actor: tenant,
      action: 'business.edit',
      subject_type: 'business',
      subject_id: businessId,
      business_id: businessId,
      before_json: JSON.stringify({ name: `Former ${sequence}`, notes: 'n'.repeat(200) }),
      after_json: JSON.stringify({ name: `Present ${sequence}`, notes: 'n'.repeat(200) }),
      reason: null,
      correlation_id: businessId,
      previous_hash: previousHash,
      token_id: null,
      salt: newSalt(),
    }
    const hash = auditEventHash(unsealed)
    lines.push(...eventLines({ ...unsealed, hash, redacted_by: null, residue: null, content_hash: null }))
    previousHash = hash
    if (sequence % CHECKPOINT_EVERY === 0 || sequence === events) {
      const { text: signed, link } = signCheckpoint(privateKey, last, { tenantId: tenant, sequence, hash, at })
      lines.push(checkpointLine(signed))
      last = link
    }
    if (lines.length < EVENTS_A_PART) continue
    yield `${lines.join('\n')}\n`
    lines = []
  }
  yield `${[...lines, endLine(events)].join('\n')}\n`
}

async function verify(folder: string, file: string) {
  const preload = join(folder, 'usage.mjs')
  writeFileSync(
    preload,
    `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.stderr.write(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, mb: maxRSS / 1024 })) })`,
  )
  const program = fileURLToPath(new URL('../proof/verify.mjs', import.meta.url))
  const begun = performance.now()
  const child = spawn(process.execPath, ['--import', preload, program, '--key', join(folder, 'key.pem'), file])
  const [said, usage, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (exitCode !== 0) throw new Error(`verify.mjs exited with ${exitCode}: ${said}`)
  const { cpu, mb }: { cpu: number; mb: number } = JSON.parse(usage)
  return { seconds: (performance.now() - begun) / 1_000, cpu, mb }
}

/** Returns the milliseconds of one signature. */
function timeOf(sign: (sequence: number) => unknown): number {
  const begun = performance.now()
  for (let sequence = 1; sequence <= SIGNATURES; sequence++) sign(sequence)
  return (performance.now() - begun) / SIGNATURES
}

const folder = mkdtempSync(join(tmpdir(), 'bench-proof-'))
try {
  writeFileSync(join(folder, 'key.pem'), publicKey)
  const file = join(folder, 'chain.txt')
  await pipeline(Readable.from(chainLines()), createWriteStream(file))
  const { seconds, cpu, mb } = await verify(folder, file)
  const end = { hash: sha256('end'), at }
  const checkpointMs = timeOf((sequence) =>
    signCheckpoint(privateKey, CHECKPOINTS_START, { tenantId: tenant, sequence, ...end }),
  )
  const headMs = timeOf((sequence) => signHead(privateKey, { store: tenant, tenant, sequence, ...end }))
  console.log(describeMachine())
  console.log(
    table(
      ['measured', 'value', 'aim', ''],
      [
        [
          `${events} events, ${(statSync(file).size / 1e9).toFixed(2)} GB`,
          `${seconds.toFixed(1)} s`,
          `≤ ${AIM_SECONDS} s`,
          verdict(seconds <= AIM_SECONDS),
        ],
        ['its processor time', `${cpu.toFixed(1)} s`, '', ''],
        ['its memory', `${mb.toFixed(0)} MB`, '', ''],
        ['a head', `${headMs.toFixed(3)} ms`, `≤ ${AIM_HEAD_MS} ms`, verdict(headMs <= AIM_HEAD_MS)],
        ['a checkpoint', `${checkpointMs.toFixed(3)} ms`, '', ''],
      ],
    ),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
