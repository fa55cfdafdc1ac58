import { parentPort, workerData } from 'node:worker_threads'
import type { Comparison } from './compare-records.rules.ts'
import { compareRecords, createComparison } from './compare-records.rules.ts'
import { draftOf, type SuggestionDraft } from './findings.rules.ts'
import { type MatchInputs, openMatchInputs } from './match-inputs.stream.ts'
import type { KeysRow } from './match-keys.rules.ts'
import { keptKeys, keysOf, keysRow } from './match-keys.rules.ts'
import type { MatchRecord } from './match-record.ts'
import { type MatchReport, matchSet, sortByKey } from './match-set.ts'
import { createRecordReader, type Frequencies } from './read-record.ts'

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
  | { type: 'keys'; keys: (readonly [number, string])[] }
  | { type: 'records'; rows: (readonly [KeysRow, number | null])[] }
  | { type: 'done'; report: MatchReport; kept: number; memoryBytes: number }

const AT_ONCE = 200
const KEYS_AT_ONCE = 1_000
const NOTHING = -1
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

/** What one view of the store says, and what follows of it. */
type Found = {
  records: readonly MatchRecord[]
  frequencies: Frequencies
  sequence: number
  pairs: Pairs
  report: MatchReport
  gone: string[]
  /** what each record stood on, `NOTHING` where nothing is kept, and whether that was kept by the rules of now */
  known: Float64Array
  isCurrent: Uint8Array
}

function run(): void {
  const { records, frequencies, sequence, pairs, report, gone, known, isCurrent } = readAndCompare()
  handOver({ type: 'counted', records: records.length, words: [...frequencies.words], sequence })
  sendDrafts(records, pairs)
  for (let from = 0; from < gone.length; from += AT_ONCE)
    handOver({ type: 'gone', ids: gone.slice(from, from + AT_ONCE) })
  sendKeys(records, known, isCurrent)
  goOn()
  tell({ type: 'done', report, kept: pairs.count, memoryBytes: process.memoryUsage.rss() })
}

/**
 * Everything that is read is read before anything is written: while a view stands open the write-ahead log cannot be folded into the
 * file, and every page that anybody reads is looked for in all of it.
 */
function readAndCompare(): Found {
  const inputs = openMatchInputs(file, tenantId)
  try {
    const { records, frequencies } = readRecords(inputs)
    const { pairs, report } = keptPairs(records)
    const gone: string[] = []
    inputs.eachOpen((id, a, b) => {
      const [i, j] = [indexOf(records, a), indexOf(records, b)]
      if (i < 0 || j < 0 || !pairs.has(i, j)) gone.push(id)
    }, goOn)
    const known = new Float64Array(records.length).fill(NOTHING)
    const isCurrent = new Uint8Array(records.length)
    inputs.keptFacts((id, facts, current) => {
      const at = indexOf(records, id)
      if (at < 0) return
      known[at] = facts
      isCurrent[at] = current ? 1 : 0
    })
    return { records, frequencies, sequence: inputs.lastSequence(), pairs, report, gone, known, isCurrent }
  } finally {
    inputs.close()
  }
}

/** Apart, so that what only serves reading is gone when records are compared. */
function readRecords(inputs: MatchInputs): Pick<Found, 'records' | 'frequencies'> {
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
  return { records, frequencies }
}

type Pairs = { count: number; at(index: number): [number, number]; has(a: number, b: number): boolean }

/** Sorted by the first record, then the second; each once. */
function keptPairs(records: readonly MatchRecord[]): { pairs: Pairs; report: MatchReport } {
  const found: number[] = []
  let compared = 0
  const report = matchSet(records, () => found.push(compared), {
    onPair: (a, b) => {
      compared = Math.min(a, b) * records.length + Math.max(a, b)
    },
    shouldStop: () => {
      goOn()
      return false
    },
    onProgress: (done) => tell({ type: 'progress', done, total: records.length, unit: 'records' }),
  })
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

/**
 * Of what is new or says something else than is kept: keys in their order, so that many lie on one page, then the records that they
 * are of.
 */
function sendKeys(records: readonly MatchRecord[], known: Float64Array, isCurrent: Uint8Array): void {
  const changed = records.flatMap((record, at) => (known[at] === record.facts && isCurrent[at] === 1 ? [] : [at]))
  const keys: number[] = []
  const owners: number[] = []
  for (const at of changed) {
    const record = records[at]
    if (record === undefined) continue
    for (const key of keysOf(keptKeys(record))) {
      keys.push(key)
      owners.push(at)
    }
  }
  const sorted = sortByKey({ keys: Float64Array.from(keys), owners: Int32Array.from(owners) })
  for (let from = 0; from < sorted.keys.length; from += KEYS_AT_ONCE) {
    const slice = sorted.keys.subarray(from, from + KEYS_AT_ONCE)
    const of = (at: number) => records[sorted.owners[from + at] ?? 0]?.id ?? ''
    handOver({ type: 'keys', keys: Array.from(slice, (key, at) => [key, of(at)]) })
  }
  for (let from = 0; from < changed.length; from += KEYS_AT_ONCE) {
    const rows = changed.slice(from, from + KEYS_AT_ONCE).flatMap((at): [KeysRow, number | null][] => {
      const record = records[at]
      const before = known[at] ?? NOTHING
      return record === undefined ? [] : [[keysRow(tenantId, record), before === NOTHING ? null : before]]
    })
    handOver({ type: 'records', rows })
  }
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
