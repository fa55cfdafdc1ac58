/**
 * Measures the brief of a business with 1,000 observations against `listFacts` of the same business, and everything around a provider call for
 * 40 observations: checks, redaction, prompt and validation.
 *
 * npm run bench:assist -- [--rounds 5]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { UserActor } from '../apps/api/src/lib/actor.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { readBrief } from '../apps/api/src/rooms/assist/brief/read-brief.ts'
import { composePrompt, evidenceText } from '../apps/api/src/rooms/assist/prompts/compose-prompt.rules.ts'
import { indicatorIn } from '../apps/api/src/rooms/assist/prompts/injection.rules.ts'
import { redact } from '../apps/api/src/rooms/assist/prompts/redact.rules.ts'
import { validateAnswer } from '../apps/api/src/rooms/assist/suggestions/validate-answer.rules.ts'
import { examineHere } from '../apps/api/src/rooms/assist/test/examine-answer.ts'
import { createBusiness, createBusinessSchema } from '../apps/api/src/rooms/businesses/businesses.ts'
import { addEvidence, addEvidenceSchema, listFacts } from '../apps/api/src/rooms/evidence/evidence.ts'
import { createTenant, createUser, memberActor } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { change } from '../apps/api/src/store/change/change.ts'
import { openStore } from '../apps/api/src/store/store.ts'
import { countOption } from './figures.ts'
import { median } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = countOption(values, 'rounds')
const aims = { brief: 4, aroundMs: 150 }
const OBSERVATIONS = 1_000
const READS = 50
const ITEMS = 40

const folder = mkdtempSync(join(tmpdir(), 'prospect-bench-assist-'))
const store = openStore({ migrations, dataDir: folder, clock: systemClock })
try {
  process.stdout.write(describeMachine())
  const actor = await manager()
  const businessId = await businessWithEvidence(actor)
  await untilStoreIsQuiet(store)
  await briefs(actor, businessId)
  await around()
} finally {
  await store.close()
  rmSync(folder, { recursive: true })
}

async function manager(): Promise<UserActor> {
  const tenantId = await createTenant(store, 'command line', { name: 'Bench', timeZone: 'Africa/Johannesburg' })
  const account = { name: 'manager', email: 'manager@bench.example', password: 'wide acacia over the dry river' }
  const userId = await createUser(store, 'command line', { tenantId, ...account, role: 'manager' })
  const actor = await memberActor(store.reader, { tenantId, userId }, newId())
  if (actor === undefined) throw new Error('A member was made.')
  return actor
}

async function businessWithEvidence(actor: UserActor): Promise<string> {
  const input = createBusinessSchema.parse({
    name: 'Karoo Windpumps',
    industry: 'Windpumps',
    registrationNumber: '2015/123456/07',
    address: { city: 'Graaff-Reinet' },
  })
  const { value } = await change(store, actor, { permission: 'businesses.write', action: 'business.create' }, (tx) =>
    createBusiness(tx, input),
  )
  const stated = [
    ['name', 'Karoo Windpumps'],
    ['industry', 'Pumps'],
    ['registrationNumber', '2015/123456/07'],
    ['address.city', 'Graaff-Reinet'],
    ['tradingName', 'Karoo'],
  ] as const
  for (let index = 0; index < OBSERVATIONS; index += 1) {
    const [field, value_] = stated[index % stated.length] ?? stated[0]
    const body = addEvidenceSchema.parse({
      field,
      value: value_,
      observation: textOf(index),
      sourceLabel: 'A visit',
      capturedAt: '2026-01-01T08:00:00Z',
      confidence: 'high',
    })
    await change(store, actor, { permission: 'evidence.write', action: 'evidence.add' }, (tx) =>
      addEvidence(tx, value.id, body),
    )
  }
  return value.id
}

function textOf(index: number): string {
  return `Visit ${index}: the workshop repairs windpumps for farms around the town and sells pumps, pipes and tanks. `.repeat(
    6,
  )
}

async function timeOf(work: () => Promise<unknown>, times: number): Promise<number> {
  const startedAt = performance.now()
  for (let index = 0; index < times; index += 1) await work()
  return (performance.now() - startedAt) / times
}

async function briefs(actor: UserActor, businessId: string): Promise<void> {
  const facts = () => listFacts(store, actor, businessId)
  const brief = () => readBrief(store, actor, businessId, '2026-11-26')
  await timeOf(facts, READS)
  await timeOf(brief, READS)
  const rows: { facts: number; brief: number }[] = []
  for (let round = 0; round < rounds; round += 1)
    rows.push({ facts: await timeOf(facts, READS), brief: await timeOf(brief, READS) })
  const ratio = median(rows.map((row) => row.brief / row.facts))
  process.stdout.write(
    table(
      ['round', 'facts, ms', 'brief, ms', 'ratio'],
      rows.map((row, index) => [
        String(index + 1),
        row.facts.toFixed(2),
        row.brief.toFixed(2),
        (row.brief / row.facts).toFixed(2),
      ]),
    ),
  )
  process.stdout.write(
    `brief over facts: ${ratio.toFixed(2)}, at most ${aims.brief}: ${verdict(ratio <= aims.brief)}\n`,
  )
}

/** Measures the redaction and the indicators of every text, the prompt, and the validation of an answer that cites every item. */
async function around(): Promise<void> {
  const texts = Array.from({ length: ITEMS }, (_, index) => textOf(index))
  const once = async () => {
    const items = texts.map((text, index) => {
      if (indicatorIn(text) !== undefined) throw new Error('The text of the benchmark has no instructions.')
      const about = { source: 'A visit', captured: '2026-01-01', observed: null, confidence: 'high' as const }
      return { item: `E${index + 1}`, text: redact(text).text, ...about }
    })
    composePrompt('prospect_summary', 'abcdefghij', items)
    const claims = items.slice(0, 12).map(({ item, text }) => ({
      text: 'The workshop repairs windpumps.',
      citations: [{ item, quotes: [text.slice(0, 60)] }],
    }))
    const parts = items.map(({ item, text }) => ({ item, parts: [text] }))
    const citable = items.map(({ item }) => ({
      ...{ item, evidenceId: item, hash: item },
      ...{ isCurrent: true, isStale: false, isContradicted: false },
    }))
    const answer = { text: JSON.stringify({ receipt: 'abcdefghij', claims }), finishReason: 'stop' }
    validateAnswer(examineHere(answer, { receipt: 'abcdefghij', input: evidenceText(items), items: parts }), citable)
  }
  await timeOf(once, 3)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timeOf(once, 5))
  const ms = median(times)
  process.stdout.write(
    `around a call, ${ITEMS} items: ${ms.toFixed(0)} ms, under ${aims.aroundMs} ms: ${verdict(ms < aims.aroundMs)}\n`,
  )
}
