import { parentPort, workerData } from 'node:worker_threads'
import type { Comparison } from './compare-records.rules.ts'
import { compareRecords, createComparison } from './compare-records.rules.ts'
import { draftOf, type SuggestionDraft } from './findings.rules.ts'
import { openMatchInputs } from './match-inputs.stream.ts'
import type { KeysRow } from './match-keys.rules.ts'
import { keysRow } from './match-keys.rules.ts'
import type { MatchRecord } from './match-record.ts'
import { type MatchReport, matchSet } from './match-set.ts'
import { createRecordReader } from './read-record.ts'

/** `control`: 0 is set to 1 when the run must stop; 1 counts messages that were sent and not yet dealt with. */
export type MatchWorkerData = {
  file: string
  tenantId: string
  after: readonly [string, string] | null
  control: Int32Array
}

/** In this order. `gone`: open suggestions whose pair was not found any more. */
export type MatchWorkerMessage =
  | { type: 'progress'; done: number; total: number | null; unit: 'records' | 'pairs' }
  | { type: 'counted'; records: number; words: [string, number][]; sequence: number }
  | { type: 'drafts'; drafts: SuggestionDraft[] }
  | { type: 'gone'; ids: string[] }
  | { type: 'keys'; rows: KeysRow[] }
  | { type: 'done'; report: MatchReport; kept: number; memoryBytes: number }

const AT_ONCE = 200
const MOST_WAITING = 4
const STOP = 0
const WAITING = 1

const port = parentPort
if (port === null) throw new Error('This file runs as a worker thread of a run.')

const { file, tenantId, after, control }: MatchWorkerData = workerData

class Stopped extends Error {}

function goOn(): void {
  if (Atomics.load(control, STOP) !== 0) throw new Stopped()
}

function tell(message: MatchWorkerMessage): void {
  port?.postMessage(message)
}

/** Hands over what is to be written, and waits while enough of it waits already. */
function handOver(message: MatchWorkerMessage): void {
  for (;;) {
    goOn()
    const waiting = Atomics.load(control, WAITING)
    if (waiting < MOST_WAITING) break
    Atomics.wait(control, WAITING, waiting, 1_000)
  }
  Atomics.add(control, WAITING, 1)
  tell(message)
}

function run(): void {
  const inputs = openMatchInputs(file, tenantId)
  try {
    const reader = createRecordReader()
    const records: MatchRecord[] = []
    inputs.readAll(
      (input) => {
        records.push(reader.read(input))
      },
      (done) => {
        goOn()
        tell({ type: 'progress', done, total: null, unit: 'records' })
      },
    )
    const frequencies = reader.commonWords()
    reader.settle(frequencies)
    handOver({
      type: 'counted',
      records: records.length,
      words: [...frequencies.words],
      sequence: inputs.lastSequence(),
    })
    const { pairs, report } = keptPairs(records)
    sendDrafts(records, pairs)
    inputs.eachOpen(
      (id, a, b) => {
        const [i, j] = [indexOf(records, a), indexOf(records, b)]
        return i >= 0 && j >= 0 && pairs.has(i, j) ? undefined : id
      },
      (ids) => handOver({ type: 'gone', ids }),
    )
    sendKeys(records, inputs.keptFacts)
    goOn()
    tell({ type: 'done', report, kept: pairs.count, memoryBytes: process.memoryUsage.rss() })
  } finally {
    inputs.close()
  }
}

type Pairs = { count: number; at(index: number): [number, number]; has(a: number, b: number): boolean }

/** Sorted by the first record, then the second; each once. */
function keptPairs(records: readonly MatchRecord[]): { pairs: Pairs; report: MatchReport } {
  const found: number[] = []
  const indexes = new Map(records.map((record, at) => [record, at]))
  const report = matchSet(
    records,
    (a, b) => found.push((indexes.get(a) ?? 0) * records.length + (indexes.get(b) ?? 0)),
    {
      shouldStop: () => {
        goOn()
        return false
      },
      onProgress: (done) => tell({ type: 'progress', done, total: records.length, unit: 'records' }),
    },
  )
  const sorted = Float64Array.from(found).sort()
  let count = 0
  for (const [at, pair] of sorted.entries()) {
    if (at > 0 && pair === sorted[at - 1]) continue
    sorted[count] = pair
    count += 1
  }
  const search = (pair: number) => {
    let [low, high] = [0, count - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const value = sorted[middle] ?? 0
      if (value === pair) return true
      if (value < pair) low = middle + 1
      else high = middle - 1
    }
    return false
  }
  const pairs: Pairs = {
    count,
    at: (index) => {
      const pair = sorted[index] ?? 0
      return [Math.floor(pair / records.length), pair % records.length]
    },
    has: (a, b) => search(Math.min(a, b) * records.length + Math.max(a, b)),
  }
  return { pairs, report }
}

/** What a cancelled or lost attempt has handed over already is not handed over again. */
function sendDrafts(records: readonly MatchRecord[], pairs: Pairs): void {
  const found: Comparison = createComparison()
  let drafts: SuggestionDraft[] = []
  const flush = () => {
    if (drafts.length > 0) handOver({ type: 'drafts', drafts })
    drafts = []
  }
  for (let index = 0; index < pairs.count; index++) {
    const [i, j] = pairs.at(index)
    const [a, b] = [records[i], records[j]]
    if (a === undefined || b === undefined || (after !== null && !isAfter(a.id, b.id, after))) continue
    compareRecords(a, b, found)
    drafts.push(draftOf(a, b, found))
    if (drafts.length === AT_ONCE) {
      flush()
      tell({ type: 'progress', done: index, total: pairs.count, unit: 'pairs' })
    }
  }
  flush()
}

function isAfter(a: string, b: string, [lastA, lastB]: readonly [string, string]): boolean {
  return a > lastA || (a === lastA && b > lastB)
}

function sendKeys(
  records: readonly MatchRecord[],
  keptFacts: (each: (id: string, facts: number) => void) => void,
): void {
  const known = new Float64Array(records.length).fill(-1)
  keptFacts((id, facts) => {
    const at = indexOf(records, id)
    if (at >= 0) known[at] = facts
  })
  let rows: KeysRow[] = []
  for (const [at, record] of records.entries()) {
    if (known[at] === record.facts) continue
    rows.push(keysRow(tenantId, record))
    if (rows.length === AT_ONCE) {
      handOver({ type: 'keys', rows })
      rows = []
    }
  }
  if (rows.length > 0) handOver({ type: 'keys', rows })
}

/** Records are in the order of their ids. */
function indexOf(records: readonly MatchRecord[], id: string): number {
  let [low, high] = [0, records.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const value = records[middle]?.id ?? ''
    if (value === id) return middle
    if (value < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

try {
  run()
} catch (error) {
  if (!(error instanceof Stopped)) throw error
} finally {
  port.close()
}
