import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createPauses, giveWay } from '../../../lib/give-way.ts'
import { type RecordValues, type ValueRows, valueRows, valuesOf } from '../rules/record-values.ts'
import { createKeysToKeep, type KeysMessage } from './keys-to-keep.ts'
import { type KeptRow, type OpenRow, openMatchInputs } from './match-inputs.stream.ts'
import { createRunControl, type RunControl, Stopped } from './run-control.ts'

export type MatchReaderData = { dataDir: string; tenantId: string; port: MessagePort; control: RunControl }

/** What one view of the store says, in the order of ids and of pairs; `read` comes last, when the view is closed. */
export type MatchReaderMessage =
  | { type: 'records'; values: ValueRows }
  | { type: 'kept'; rows: KeptRow[] }
  | { type: 'open'; rows: OpenRow[] }
  | { type: 'read'; sequence: number }

/** So few that they are garbage before they are taken for long-lived. */
const RECORDS_AT_ONCE = 100
const { dataDir, tenantId, port, control }: MatchReaderData = workerData
const { handOver, dealtWith } = createRunControl(control)
const pause = createPauses()

/**
 * The thread of a run that reads: it makes out what each record says for itself, and another one who else says it. Everything is read
 * before anything is written: while a view stands open the write-ahead log cannot be folded into the file, and every page that anybody
 * reads is looked for in all of it. Then it has the keys written that records are looked up by, while the other one is not yet comparing.
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
