/**
 * Measures the people at prospects: opening a record with 50 people beside one without, in alternating rounds, and searches and filters by people at
 * growing sizes, with one and a half people per record.
 *
 * npm run bench:people -- [--rows 100000,1000000] [--rounds 9] [--keep <folder>]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { BenchmarkError, countOption, some } from './figures.ts'
import { storeOf } from './kept-store.ts'
import { median, processorTimeOf } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { rarePerson } from './sample-data.ts'
import { type ApiServer, startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000,1000000' },
    rounds: { type: 'string', default: '9' },
    keep: { type: 'string' },
  },
})
const sizes = values.rows.split(',').map((rows) => countOption({ rows }, 'rows'))
const rounds = countOption(values, 'rounds')

const PEOPLE = 50
const OPENS_A_ROUND = 20
const AIM_OPEN = 1.2
const AIM_SEARCH_MS = 20

type Headers = Record<string, string>
type Caller = (path: string, body?: unknown) => Promise<unknown>

const created = z.object({ id: z.string() })
const answered = z.object({ page: z.object({ total: z.object({ value: z.number() }).nullable() }) })

function callerOf({ port }: ApiServer, headers: Headers): Caller {
  return async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new BenchmarkError(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
}

/** Creates two records that differ in their people only. */
async function createPair(call: Caller): Promise<[plain: string, crowded: string]> {
  const create = async (name: string) => created.parse(await call('/businesses', { name })).id
  const [plain, crowded] = [await create('Without people'), await create('With people')]
  for (let n = 0; n < PEOPLE; n++)
    await call(`/businesses/${crowded}/people`, {
      name: `Person ${'abcdefghijklmnopqrstuvwxy'[n % 25]} ${n}`,
      role: `Role ${n}`,
      emails: [{ value: `person-${n}@people.example` }],
      phones: [{ value: `082 555 ${String(1_000 + n)}`, region: 'ZA' }],
    })
  return [plain, crowded]
}

/** The requests of a record that a person opens. */
const openingOf = (id: string) => [
  `/businesses/${id}`,
  `/businesses/${id}/people?limit=200`,
  `/businesses/${id}/facts`,
  `/businesses/${id}/activity?limit=50`,
]

/** Returns the processor time of an opening of each record, in milliseconds: the median of alternating rounds. */
async function compareOpenings(api: ApiServer, call: Caller, ids: readonly string[]): Promise<number[]> {
  const used = ids.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [at, id] of ids.entries()) {
      const before = processorTimeOf(api.pid)
      for (let n = 0; n < OPENS_A_ROUND; n++) for (const path of openingOf(id)) await call(path)
      if (round >= 0) used[at]?.push((processorTimeOf(api.pid) - before) / 1_000 / OPENS_A_ROUND)
    }
  }
  return used.map(median)
}

const conditionsOf = (...conditions: object[]) => `&conditions=${encodeURIComponent(JSON.stringify(conditions))}`
const named = (...names: string[]) => conditionsOf({ field: 'person', op: 'contains', values: names })

/** Queries of the list, by name. */
const queries: Readonly<Record<string, string>> = {
  'search: name of one person in 20,000 records': `&q=${encodeURIComponent(rarePerson)}`,
  'search: name and surname of many': `&q=${encodeURIComponent('Thandi Nkosi')}`,
  'search: first name in a twentieth of the records': '&q=thandi',
  'filter: name of one person in 20,000 records': named(rarePerson),
  'filter: name and surname of many': named('Thandi Nkosi'),
  'filter: first name in a twentieth of the records': named('thandi'),
  'filter: has a person': conditionsOf({ field: 'hasPerson', op: 'any_of', values: [true] }),
  'filter: has no person': conditionsOf({ field: 'hasPerson', op: 'any_of', values: [false] }),
  'filter: role contains “buyer”': conditionsOf({ field: 'role', op: 'contains', values: ['buyer'] }),
}

type Measured = { ms: number; usedMs: number; found: string }

async function measureQuery(api: ApiServer, call: Caller, query: string): Promise<Measured> {
  const [times, used]: [number[], number[]] = [[], []]
  let found = ''
  for (let round = -1; round < rounds; round++) {
    const [before, began] = [processorTimeOf(api.pid), performance.now()]
    const { total } = answered.parse(await call(`/businesses?limit=50${query}`)).page
    found = total === null ? 'many' : String(total.value)
    if (round < 0) continue
    times.push(performance.now() - began)
    used.push((processorTimeOf(api.pid) - before) / 1_000)
  }
  return { ms: median(times), usedMs: median(used), found }
}

async function measure(rows: number, home: string): Promise<void> {
  const { dataDir, seeded } = await storeOf(home, rows, { withPeople: true })
  const api = await startApi(dataDir)
  try {
    const call = callerOf(api, (await api.signIn(seeded)).headers)
    await api.untilQuiet()
    const lines: string[][] = []
    for (const [name, query] of Object.entries(queries)) {
      const { ms, usedMs, found } = await measureQuery(api, call, query)
      some(Number.parseInt(found === 'many' ? '1' : found, 10), `prospects of “${name}”`)
      const isSearch = name.startsWith('search: name')
      const isMet = isSearch ? verdict(usedMs <= AIM_SEARCH_MS) : ''
      lines.push([name, `${ms.toFixed(1)} ms`, `${usedMs.toFixed(1)} ms`, isMet, found])
    }
    const title = `${rows.toLocaleString('en')} records, ${(rows * 1.5).toLocaleString('en')} people`
    console.log(table([title, 'p50', 'processor time p50', `≤ ${AIM_SEARCH_MS} ms`, 'found'], lines))
    const [plain = Number.NaN, crowded = Number.NaN] = await compareOpenings(api, call, await createPair(call))
    const ratio = crowded / plain
    console.log(
      `\nopening a record: ${plain.toFixed(2)} ms of processor time without people, ${crowded.toFixed(2)} ms with ${PEOPLE}: ${ratio.toFixed(2)} times ${verdict(ratio <= AIM_OPEN)}`,
    )
  } finally {
    await api.stop()
  }
}

const home = values.keep ?? mkdtempSync(join(tmpdir(), 'prospect-bench-people-'))
try {
  console.log(describeMachine())
  for (const rows of sizes) await measure(rows, home)
} finally {
  if (values.keep === undefined) rmSync(home, { recursive: true, force: true })
}
