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

/** `port`: what the thread that reads hands over. `after`: the pair that a lost attempt was at. */
export type MatchWorkerData = {
  tenantId: string
  after: readonly [string, string] | null
  port: MessagePort
  control: RunControl
}

/**
 * What is to be written, and how far it is. `counted` comes first; drafts in the order of their pairs, and between them `gone`, open
 * suggestions that hold no longer. Records come behind all keys, whenever there is nothing else to write, and each behind all that was
 * found of it: what is kept of a record says that it was looked at.
 */
export type MatchWorkerMessage =
  | { type: 'progress'; done: number; total: number | null; unit: 'records' }
  | { type: 'counted'; records: number; words: [string, number][] }
  | { type: 'drafts'; drafts: DraftRows }
  | { type: 'gone'; ids: string[] }
  | { type: 'records'; added: RecordRows; changed: (KeysRow & { seen: number })[] }
  | { type: 'done'; report: MatchReport; kept: number; sequence: number }

/** So many that they are seldom handed over, and so few that they are garbage before they are taken for long-lived. */
const DRAFTS_AT_ONCE = 400
const IDS_AT_ONCE = 200
const RECORDS_AT_ONCE = 500
/** Records keep out of the way of drafts, for which the comparison would have to wait. */
const FEW_WAITING = 4
/** Records between two reports of how far reading is. */
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

/** What the thread that reads has sent next. */
function receive(): MatchReaderMessage {
  run.untilSent('read')
  const received: { message: MatchReaderMessage } | undefined = receiveMessageOnPort(port)
  if (received === undefined) throw new Error('A message was counted before it was sent.')
  run.dealtWith('read')
  return received.message
}

/** What one view of the store says. */
type Stored = {
  set: MatchSet
  frequencies: Frequencies
  /** what each record stood on when it was last kept, `NOTHING` where nothing is, and whether that was by the present rules */
  seen: Float64Array
  isCurrent: Uint8Array
  /** open suggestions by the numbers of their records; -1 for a record that is no more */
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

/** Keeps what the other thread reads: each value once, and who shares it. */
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
  if (message.type !== 'read') throw new Error(`The thread that reads sent ${message.type} out of turn.`)
  return { set, frequencies, seen, isCurrent, open, sequence: message.sequence }
}

/** What is written of records beside what was found of them, as many as the writer has room for: up to `end`, for which everything was found. */
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
 * Compares, and hands over what is kept while it goes on, so that comparing and writing take place side by side. What a cancelled or
 * lost attempt has handed over already is not handed over again.
 */
function compareAll(set: MatchSet, open: Stored['open'], rest: Rest) {
  const { records } = set
  const found = createComparison()
  let pairs: (readonly [a: number, b: number])[] = []
  /** Drafts are made all at once when they are handed over: those that waited would outlive a few collections and be taken for long-lived. */
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
   * Pairs are found in the order in which the open ones were read: those that are passed were not found. A check compares other pairs of a
   * large block than a run, so that they may hold all the same.
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
  /** Everything of the records before `done` is found; that of those before the first pair that waits is handed over, too. */
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
 * Left alone V8 comes to take what is made for one pair for long-lived, because what the records were made of was, and a million records
 * grow by 0.4 GB while they are compared. The flag is the process's own; nothing else in it makes a million objects that stay.
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
