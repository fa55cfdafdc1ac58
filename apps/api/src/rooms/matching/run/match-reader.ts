import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createPauses, giveWay } from '../../../lib/give-way.ts'
import { type RecordValues, type ValueRows, valueRows, valuesOf } from '../rules/record-values.ts'
import { createKeysToKeep, type KeysMessage } from './keys-to-keep.ts'
import { type KeptRow, type OpenRow, openMatchInputs } from './match-inputs.stream.ts'
import { createRunControl, type RunControl, Stopped } from './run-control.ts'

export type MatchReaderData = { dataDir: string; tenantId: string; port: MessagePort; control: RunControl }

/**
 * Messages with the content of one snapshot of the store, ordered by id or by pair. `read` is the last message and is sent after the snapshot is
 * closed.
 */
export type MatchReaderMessage =
  | { type: 'records'; values: ValueRows }
  | { type: 'kept'; rows: KeptRow[] }
  | { type: 'open'; rows: OpenRow[] }
  | { type: 'read'; sequence: number }

/** Number of records per message, small enough that a message is freed in the young generation. */
const RECORDS_AT_ONCE = 100
const { dataDir, tenantId, port, control }: MatchReaderData = workerData
const { handOver, dealtWith } = createRunControl(control)
const pause = createPauses()

/**
 * Runs the reading thread of a run. It parses each record; the comparing thread counts shared values. It reads everything before anything is written,
 * because an open snapshot prevents checkpoints, and then every page read would be searched in a growing write-ahead log. Afterwards it sends the
 * lookup keys to the writer, until the comparison starts.
 */
function run(): void {
  const tell = (message: MatchReaderMessage) => handOver('read', () => port.postMessage(message))
  const inputs = openMatchInputs(dataDir, tenantId)
  try {
    let values: RecordValues[] = []
    const flush = () => {
      if (values.length > 0) tell({ type: 'records', values: valueRows(values) })
      values = []
    }
    const keys = createKeysToKeep()
    inputs.readAll((input) => {
      pause()
      const read = valuesOf(input)
      values.push(read)
      keys.add(read)
      if (values.length === RECORDS_AT_ONCE) flush()
    })
    flush()
    inputs.keptFacts((rows) => {
      keys.leaveOut(rows)
      tell({ type: 'kept', rows })
    })
    inputs.eachOpen((rows) => tell({ type: 'open', rows }))
    const sequence = inputs.lastSequence()
    inputs.close()
    tell({ type: 'read', sequence })
    for (const message of keys.messages())
      handOver('keys', () => parentPort?.postMessage(message satisfies KeysMessage))
    dealtWith('keys')
  } finally {
    inputs.close()
  }
}

try {
  giveWay()
  run()
} catch (error) {
  if (!(error instanceof Stopped)) throw error
} finally {
  port.close()
}
