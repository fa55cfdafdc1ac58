import { setFlagsFromString } from 'node:v8'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createPauses, giveWayToAll } from '../../../lib/give-way.ts'
import { slicesOf } from '../../../lib/slices.ts'
import { compareRecords, createComparison, isKept } from '../rules/compare-records.rules.ts'
import { type DraftRows, draftOf, draftRows } from '../rules/findings.rules.ts'
import { type KeysRow, keysRow, type RecordRows, recordRows } from '../rules/match-keys.rules.ts'
import type { MatchRecord } from '../rules/match-record.ts'
import { createRecordReader, type Frequencies } from '../rules/read-record.ts'
import { valuesIn } from '../rules/record-values.ts'
import type { MatchReaderMessage } from './match-reader.ts'
import { createMatchSet, type MatchReport, type MatchSet } from './match-set.ts'
import { PackedRecord } from './packed-record.ts'
import { createRecordColumns } from './record-columns.ts'
import { createRunControl, type RunControl, Stopped } from './run-control.ts'

/** Input of the comparing thread. `port`: receives the messages of the reading thread. `after`: the last pair that an interrupted attempt wrote. */
export type MatchWorkerData = {
  tenantId: string
  after: readonly [string, string] | null
  port: MessagePort
  control: RunControl
}

/**
 * Rows to write, and progress. `counted` comes first. Drafts follow in the order of their pairs, mixed with `gone`, the open suggestions that are no
 * longer valid. The row of a record marks it as checked, so it is sent after all of its drafts. It is also sent after all lookup keys, and only while
 * few other messages wait.
 */
export type MatchWorkerMessage =
  | { type: 'progress'; done: number; total: number | null; unit: 'records' }
  | { type: 'counted'; records: number; words: [string, number][] }
  | { type: 'drafts'; drafts: DraftRows }
  | { type: 'gone'; ids: string[] }
  | { type: 'records'; added: RecordRows; changed: (KeysRow & { seen: number })[] }
  | { type: 'done'; report: MatchReport; kept: number; sequence: number }

/** Number of drafts per message, large enough to amortise `postMessage` and small enough that a message is freed in the young generation. */
const DRAFTS_AT_ONCE = 400
const IDS_AT_ONCE = 200
const RECORDS_AT_ONCE = 500
/** Rows of records are sent only while fewer messages than this wait. Otherwise drafts would wait behind them and stall the comparison. */
const FEW_WAITING = 4
/** Number of records between two progress reports while reading. */
const REPORTED_EVERY = 4_000
const NOTHING = -1

const writer = parentPort
if (writer === null) throw new Error('This file runs as a worker thread of a run.')

const { tenantId, after, port, control }: MatchWorkerData = workerData
const run = createRunControl(control)
const pause = createPauses()

function tell(message: MatchWorkerMessage): void {
  writer?.postMessage(message)
}

function handOver(message: MatchWorkerMessage): void {
  run.handOver('found', () => tell(message))
}

/** Receives the next message of the reading thread. */
function receive(): MatchReaderMessage {
  run.untilSent('read')
  const received: { message: MatchReaderMessage } | undefined = receiveMessageOnPort(port)
  if (received === undefined) throw new Error('A message was counted before it was sent.')
  run.dealtWith('read')
  return received.message
}

/** The content of one snapshot of the store. */
type Stored = {
  set: MatchSet
  frequencies: Frequencies
  /** for each record, the stored hash of its facts (`NOTHING` if none is stored), and whether the current rules computed it */
  seen: Float64Array
  isCurrent: Uint8Array
  /** open suggestions by the numbers of their records; -1 for a record that no longer exists */
  open: { id: string; a: number; b: number }[]
  sequence: number
}

function compare(): void {
  const { set, frequencies, seen, isCurrent, open, sequence } = readStore()
  const { records } = set
  handOver({ type: 'counted', records: records.length, words: [...frequencies.words] })
  const hasChanged = (at: number) => seen[at] !== records[at]?.facts || isCurrent[at] !== 1
  const { report, kept } = compareAll(set, open, openRest(records, seen, hasChanged))
  run.goOn()
  tell({ type: 'progress', done: records.length, total: records.length, unit: 'records' })
  tell({ type: 'done', report, kept, sequence })
}

/** Collects the records of the reading thread and counts how many records share each value. */
function readStore(): Stored {
  const reader = createRecordReader()
  const columns = createRecordColumns()
  const set = createMatchSet((record, at) => {
    columns.add(record.id, record.facts)
    return new PackedRecord(record, columns, at)
  })
  const { records } = set
  const progress = () => tell({ type: 'progress', done: records.length, total: null, unit: 'records' })
  let message = receive()
  for (; message.type === 'records'; message = receive()) {
    const read = valuesIn(message.values)
    for (const values of read) {
      pause()
      set.add(reader.keep(values))
    }
    if (records.length % REPORTED_EVERY < read.length) progress()
  }
  progress()
  const frequencies = reader.commonWords()
  reader.settle(frequencies)
  const seen = new Float64Array(records.length).fill(NOTHING)
  const isCurrent = new Uint8Array(records.length)
  const open: Stored['open'] = []
  for (; message.type === 'kept'; message = receive()) {
    for (const [id, facts, current] of message.rows) {
      const at = columns.indexOf(id)
      if (at < 0) continue
      seen[at] = facts
      isCurrent[at] = current ? 1 : 0
    }
  }
  for (; message.type === 'open'; message = receive())
    for (const [id, a, b] of message.rows) open.push({ id, a: columns.indexOf(a), b: columns.indexOf(b) })
  if (message.type !== 'read') throw new Error(`The reading thread sent ${message.type} out of order.`)
  return { set, frequencies, seen, isCurrent, open, sequence: message.sequence }
}

/**
 * The rows of records that are not yet sent. `handOver` sends them while the writer has room, up to `end`, the first record that can still get
 * drafts.
 */
type Rest = { handOver(end: number, hasRoom: () => boolean): void }

function openRest(records: readonly MatchRecord[], seen: Float64Array, hasChanged: (at: number) => boolean): Rest {
  const changed = [...records.keys()].filter(hasChanged)
  let next = 0
  return {
    handOver: (end, hasRoom) => {
      while (hasRoom()) {
        const slice = changed.slice(next, next + RECORDS_AT_ONCE)
        const last = slice.at(-1)
        if (last === undefined || last >= end) return
        const rows = slice.flatMap((at) => {
          const record = records[at]
          return record === undefined ? [] : [{ ...keysRow(tenantId, record), seen: seen[at] ?? NOTHING }]
        })
        const [added, known] = [rows.filter((row) => row.seen === NOTHING), rows.filter((row) => row.seen !== NOTHING)]
        handOver({ type: 'records', added: recordRows(added), changed: known })
        next += slice.length
      }
    },
  }
}

/**
 * Compares records and sends drafts at the same time, so that comparison and writing overlap. Drafts that a cancelled or interrupted attempt already
 * sent are skipped.
 */
function compareAll(set: MatchSet, open: Stored['open'], rest: Rest) {
  const { records } = set
  const found = createComparison()
  let pairs: (readonly [a: number, b: number])[] = []
  /**
   * Sends the waiting pairs as drafts. A draft is created only now, because a waiting draft would survive a few collections and be promoted to the
   * old generation.
   */
  const flush = () => {
    const drafts = pairs.flatMap(([i, j]) => {
      pause()
      const [a, b] = [records[i], records[j]]
      return a === undefined || b === undefined ? [] : [draftOf(a, b, compareRecords(a, b, found))]
    })
    if (drafts.length > 0) handOver({ type: 'drafts', drafts: draftRows(drafts) })
    pairs = []
  }
  let kept = 0
  let nextOpen = 0
  let gone: string[] = []
  const keep = (i: number, j: number) => {
    kept += 1
    if (after !== null && !isAfter(records[i]?.id ?? '', records[j]?.id ?? '', after)) return
    pairs.push([i, j])
    if (pairs.length === DRAFTS_AT_ONCE) flush()
  }
  /**
   * Ends or renews the open suggestions that come before this pair. Pairs are found in the order of open suggestions, so an open suggestion before
   * this pair was not found. It can still be valid, because the check of a single record compares other pairs of a large block than a run does.
   */
  const passOpen = (a: number, b: number) => {
    for (let next = open[nextOpen]; next !== undefined; next = open[nextOpen]) {
      const isBefore = next.a < a || (next.a === a && next.b < b)
      if (!isBefore && (next.a !== a || next.b !== b)) return
      nextOpen += 1
      if (!isBefore) continue
      const [one, other] = [records[next.a], records[next.b]]
      if (one !== undefined && other !== undefined && isKept(one, other, found)) keep(next.a, next.b)
      else gone.push(next.id)
    }
  }
  /**
   * Sends the rows of the records before `done`, except those from the first waiting pair on. All pairs of the rows sent are found, and their drafts
   * are sent.
   */
  const handOverRest = (done: number, hasRoom: () => boolean) => {
    passOpen(done, 0)
    for (const ids of slicesOf(gone, IDS_AT_ONCE)) handOver({ type: 'gone', ids })
    gone = []
    rest.handOver(pairs[0]?.[0] ?? done, hasRoom)
  }
  const report = set.compare(
    (i, j) => {
      passOpen(i, j)
      keep(i, j)
    },
    {
      onRecord: pause,
      onProgress: (done) => {
        run.goOn()
        handOverRest(done, () => run.waiting('keys') === 0 && run.waiting('found') < FEW_WAITING)
        tell({ type: 'progress', done, total: records.length, unit: 'records' })
      },
    },
  )
  passOpen(records.length, 0)
  flush()
  run.untilNone('keys')
  handOverRest(records.length, () => true)
  return { report, kept }
}

function isAfter(a: string, b: string, [lastA, lastB]: readonly [string, string]): boolean {
  return a > lastA || (a === lastA && b > lastB)
}

/**
 * Disables a V8 optimisation that would allocate the short-lived objects of each pair in the old generation, because it learns from the records,
 * which survive. With it, the comparison of a million records grows by 0.4 GB. The flag applies to the whole process, in which nothing else allocates
 * a million long-lived objects.
 */
setFlagsFromString('--no-allocation-site-pretenuring')

try {
  giveWayToAll()
  compare()
} catch (error) {
  if (!(error instanceof Stopped)) throw error
} finally {
  port.close()
  writer.close()
}
