import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { recordEvents } from '../../../../test/checkpoint-world.ts'
import { editBehind } from '../../../../test/integrity.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { roundsIn } from '../../../../test/registry-rounds.ts'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import { runVerifiers } from '../../../../test/verifiers.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { checkpointFile } from '../checkpoints/checkpoint-file.ts'
import { createCheckpointer } from '../checkpoints/checkpointer.ts'
import { signHead } from '../heads/head.ts'
import { exportChain } from '../proof/export-chain.ts'

/*
 * The vectors of docs/proof-format.md. Each is a file that this program writes, or such a file after one change. Both verifiers must say the same about
 * each of them.
 */

type Vector = { files: Record<string, string>; args?: string[]; exitCode: number; says: RegExp }

/** Records a history with all forms of events, an erasure, a certificate, heads and an inclusion. Returns the files and their lines. */
async function writeVectors() {
  const t = await buildTestApp()
  const { store, tenants } = t
  const tenantId = tenants.home.id
  const operator = await t.as('operator')
  const administrator = await t.as('administrator')
  const signNow = () => createCheckpointer(store, pino({ level: 'silent' })).signWhatIsNew()
  const heads: string[] = []
  const keepHead = async () => {
    const { body } = await administrator.get<{ items: unknown[]; publicKey: string }>('/audit-heads')
    heads.push(...body.items.map((head) => JSON.stringify(head)))
    t.clock.advance(60_000)
    return body.publicKey
  }
  await keepHead()
  let { sequence, hash: previous } = await store.reader
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow()
  for (const [form, token] of [
    [1, null],
    [2, 'a token'],
  ] as const) {
    sequence += 1
    const place = [tenantId, sequence, `00000000-0000-7000-8000-${sequence.toString(16).padStart(12, '0')}`]
    const told = [
      '2026-11-01T00:00:00.000Z',
      'ann',
      'note.add',
      'note',
      'n',
      null,
      null,
      '{"text":"Grüße \\u2028"}',
      null,
      'c',
    ]
    const hash = sha256(JSON.stringify([form, ...place, ...told, previous, ...(token === null ? [] : [token])]))
    const values = [...place, ...told, previous, hash, token].map((value) =>
      typeof value === 'string' ? `'${value}'` : (value ?? 'NULL'),
    )
    editBehind(
      store.dataDir,
      `INSERT INTO audit_events (tenant_id, sequence, id, at, actor, action, subject_type, subject_id, business_id, before_json,
        after_json, reason, correlation_id, previous_hash, hash, token_id) VALUES (${values.join()})`,
    )
    previous = hash
  }
  const { id: erased } = await createProspect(operator, { name: 'Erased' })
  await createProspect(operator, { name: 'Karoo', phones: [{ value: '082 123 4567' }] })
  await signNow()
  await administrator.post(`/businesses/${erased}/erasure`, { reason: 'The person asked.' })
  await signNow()
  t.clock.advance(60_000)
  const round = await roundsIn(t)([])
  const manager = await t.as('manager')
  const { body: certificate } = await manager.get(`/registry-rounds/${round.id}/certificate`)
  await signNow()
  const publicKey = await keepHead()
  const { body: events } = await manager.get<{ items: { id: string }[] }>('/audit-events?limit=3')
  const { body: inclusion } = await manager.get<{ lines: string[] }>(
    `/audit-events/${events.items.at(-1)?.id}/inclusion`,
  )
  const chain: string[] = []
  for await (const lines of exportChain(store, tenantId)) chain.push(...lines)
  const checkpoints = readFileSync(checkpointFile(store.dataDir), 'utf8').trimEnd().split('\n')
  return { store, tenantId, chain, heads, checkpoints, inclusion: inclusion.lines, certificate, publicKey }
}

const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`

/** Returns the vectors by name, and writes the keys into the folder. */
async function makeVectors(folder: string): Promise<Record<string, Vector>> {
  const { chain, heads, checkpoints, inclusion, certificate, publicKey, store } = await writeVectors()
  const [oldHead = '', head = ''] = heads
  const stranger = generateKeyPairSync('ed25519')
  const strangerPem = createPublicKey(stranger.privateKey).export({ type: 'spki', format: 'pem' }).toString()
  writeFileSync(join(folder, 'key.pem'), publicKey)
  writeFileSync(join(folder, 'other.pem'), strangerPem)
  const at = (word: string, nth = 0) =>
    chain
      .map((line, index) => ({ line, index }))
      .filter(({ line }) => line.startsWith(`${word} `))
      .at(nth)?.index ?? Number.NaN
  const changed = (index: number, alter: (line: string) => string) =>
    chain.map((line, one) => (one === index ? alter(line) : line))
  const countIn = (lines: readonly string[]) => lines.filter((line) => /^(columns|link) /.test(line)).length
  const swap = (lines: readonly string[], one: number, other: number) =>
    lines.map((line, index) => (index === one ? lines[other] : index === other ? lines[one] : line) ?? '')
  const proof = (lines: readonly string[], exitCode: number, says: RegExp): Vector => ({
    files: { chain: textOf(lines) },
    exitCode,
    says,
  })
  const ofHeads = (lines: readonly string[], exitCode: number, says: RegExp): Vector => ({
    files: { heads: textOf(lines) },
    exitCode,
    says,
  })
  const ofCheckpoints = (lines: readonly string[], exitCode: number, says: RegExp): Vector => ({
    files: { checkpoints: textOf(lines) },
    exitCode,
    says,
  })
  const ofCertificate = (text: string, exitCode: number, says: RegExp): Vector => ({
    files: { certificate: text },
    exitCode,
    says,
  })
  const certificateText = JSON.stringify(certificate)
  const headOf = (change: Record<string, unknown>) => {
    const { keyId: _, signature: __, v: ___, ...end } = JSON.parse(head)
    return JSON.stringify(signHead(store.keys.auditSigning, { ...end, ...change }))
  }
  const cutAt = at('checkpoint', 1)
  const cut = [...chain.slice(0, cutAt + 1), `end ${JSON.stringify({ events: countIn(chain.slice(0, cutAt)) })}`]
  return {
    'all files of one history': {
      files: {
        chain: textOf(chain),
        heads: textOf(heads),
        checkpoints: textOf(checkpoints),
        certificate: JSON.stringify(certificate, null, 2),
      },
      exitCode: 0,
      says: /proven\t.*chain\t\d+ events, proven to event \d+/,
    },
    'an inclusion': {
      files: { inclusion: textOf(inclusion), heads: textOf(heads) },
      exitCode: 0,
      says: /an inclusion of \d+ events/,
    },
    'no key': { ...proof(chain, 3, /signed by a key that was not given/), args: [] },
    'an unknown key': { ...ofHeads(heads, 3, /signed by a key that was not given/), args: ['--key', 'other.pem'] },
    'a withdrawn key': {
      ...ofHeads(heads, 3, /withdrawn key, which proves nothing/),
      args: ['--key', 'other.pem', '--withdrawn', 'key.pem'],
    },
    'a truncated chain': { files: { chain: textOf(chain).slice(0, -40) }, exitCode: 2, says: /line \d+ is cut off/ },
    'a chain without its last lines': proof(chain.slice(0, -1), 2, /its last line is missing/),
    'a chain without its newest events and a kept head': {
      files: { chain: textOf(cut), heads: textOf([headOf({ at: '2020-01-01T00:00:00.000Z' })]) },
      exitCode: 1,
      says: /the end of the chain was cut off/,
    },
    'a chain that a newer head continues': {
      files: { chain: textOf(cut), heads: textOf([headOf({ at: '2100-01-01T00:00:00.000Z' })]) },
      exitCode: 3,
      says: /is newer than this file/,
    },
    'reordered events': proof(
      swap(swap(chain, at('link'), at('link', 1)), at('content'), at('content', 1)),
      1,
      /event 1 is missing, or events were reordered/,
    ),
    'a removed event': proof(
      chain.filter((_, index) => index !== at('link', 2) && index !== at('content', 2)),
      1,
      /event 3 is missing/,
    ),
    'an altered content': proof(
      changed(at('content'), (line) =>
        line.replace('tenant.create', 'tenant.forged').replace('user.create', 'user.forged'),
      ),
      1,
      /the content of event 1 was altered/,
    ),
    'an altered event of the first form': proof(
      changed(at('columns'), (line) => line.replace('"ann"', '"bob"')),
      1,
      /does not follow event \d+ in its current form/,
    ),
    'content that was left out': proof(
      chain.filter((_, index) => index !== at('content')),
      3,
      /the content of 1 events is not in it/,
    ),
    'an emptied event without an erasure': proof(
      changed(at('erased'), (line) => line.replace(/^erased \S+/, `erased ${'0'.repeat(36)}`)),
      1,
      /the erasure records other emptied events/,
    ),
    'an erasure of more than it records': proof(
      changed(at('erased'), (line) => line.replace(/,"[^"]+","business/, ',"somebody","business')),
      1,
      /the erasure records other emptied events/,
    ),
    'another number of events': proof(
      changed(chain.length - 1, () => `end {"events":${countIn(chain) - 1}}`),
      1,
      /and states \d+/,
    ),
    'an altered checkpoint': proof(
      changed(at('checkpoint'), (line) => line.replace(/"at":"\d/, '"at":"1')),
      1,
      /its signature does not fit/,
    ),
    'a checkpoint of another event': proof(
      swap(chain, at('checkpoint'), at('checkpoint', -1)),
      1,
      /the checkpoint is of another event/,
    ),
    'a chain without checkpoints': proof(
      chain.filter((line) => !line.startsWith('checkpoint ')),
      3,
      /no checkpoint covers events 1 to \d+/,
    ),
    'a chain of another workspace': proof(
      changed(0, (line) => line.replace(/"tenant":"[^"]+"/, '"tenant":"another"')),
      1,
      /event of another workspace/,
    ),
    'another version of a chain': proof(
      changed(0, (line) => line.replace('"v":1', '"v":2')),
      2,
      /another version/,
    ),
    'an unknown word': proof(
      changed(1, (line) => line.replace('link', 'chain')),
      2,
      /begins with an unknown word/,
    ),
    'text after the end': proof([...chain, 'end {}'], 2, /is after the end/),
    'reordered heads': ofHeads(heads.toReversed(), 0, /2 heads/),
    'an edited head': ofHeads([oldHead, head.replace(/"sequence":\d+/, '"sequence":9')], 1, /line 2 was altered/),
    'a head of a fork': ofHeads([head, headOf({ hash: '0'.repeat(64) })], 1, /the chain was forked/),
    'a later head with fewer events': ofHeads(
      [head, headOf({ at: '2100-01-01T00:00:00.000Z', sequence: 1 })],
      1,
      /an older copy was restored/,
    ),
    'another version of a head': ofHeads([head.replace('"v":1', '"v":2')], 2, /line 1 is a head of another version/),
    'half a head': {
      files: { heads: `${oldHead}\n${head.slice(0, 90)}` },
      exitCode: 2,
      says: /line 2 is not valid JSON/,
    },
    'reordered checkpoints': ofCheckpoints(swap(checkpoints, 0, 1), 1, /line 1 does not follow the line before/),
    'half a checkpoint': { files: { checkpoints: textOf(checkpoints).slice(0, -30) }, exitCode: 2, says: /is cut off/ },
    'another version of a checkpoint': ofCheckpoints(
      [checkpoints[0]?.replace('"v":2', '"v":3') ?? ''],
      2,
      /a checkpoint of another version/,
    ),
    'an edited certificate': ofCertificate(
      certificateText.replace(/"added":\d+/, '"added":77'),
      1,
      /its signature does not fit/,
    ),
    'another version of a certificate': ofCertificate(
      certificateText.replace('"version":1', '"version":2'),
      2,
      /a statement of another version/,
    ),
    'half a certificate': ofCertificate(certificateText.slice(0, -20), 2, /line 1 is not valid JSON/),
    'an unknown format': { files: { letter: 'Dear Sir\n' }, exitCode: 2, says: /of no known format/ },
  }
}

test('both verifiers say the same about every vector', { timeout: 300_000 }, async () => {
  const folder = temporaryFolder()
  const vectors = await makeVectors(folder)
  for (const [name, { files, args = ['--key', 'key.pem'], exitCode, says }] of Object.entries(vectors)) {
    const place = join(folder, name.replaceAll(' ', '-'))
    const paths = Object.entries(files).map(([file, text]) => {
      writeFileSync(`${place}-${file}`, text)
      return `${place}-${file}`
    })
    const keys = args.map((arg) => (arg.endsWith('.pem') ? join(folder, arg) : arg))
    const [byNode, byPython] = await runVerifiers(...keys, ...paths)
    expect.soft(byNode, name).toEqual({ exitCode, said: expect.stringMatching(says) })
    expect.soft(byPython, name).toEqual(byNode)
  }
})

test('an export ends with a sentence if a prospect is erased meanwhile', async () => {
  const t = await buildTestApp()
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  await recordEvents(t.store, t.tenants.home.id, 130)
  const { id } = await createProspect(operator)
  const parts = exportChain(t.store, t.tenants.home.id)
  await parts.next()
  await parts.next()
  await administrator.post(`/businesses/${id}/erasure`, { reason: 'The person asked.' })
  await expect(Array.fromAsync(parts)).rejects.toThrow('A prospect was erased while the chain was written.')
})
