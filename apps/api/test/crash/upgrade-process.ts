import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection } from '../../src/store/engine/connection.ts'
import { keepCopy } from '../../src/store/files/enter-store.ts'
import { migrate } from '../../src/store/files/migrate.ts'
import { STORE_FILE } from '../../src/store/files/store-files.ts'
import { migrations } from '../../src/store/migrations/index.ts'

/*
 * Brings a store to the schema of this code as the start does, and stands still in the transaction of one step, when all of its work is
 * done and none of it is committed: the worst moment to be killed.   upgrade-process.ts <data folder> <step>
 */

const [dataDir = '', step = ''] = process.argv.slice(2)
const connection = openConnection(join(dataDir, STORE_FILE))
connection.function('stand_still', () => {
  writeSync(process.stdout.fd, 'in the middle\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0)
  return null
})
const steps = migrations.map((one, index) =>
  index + 1 === Number(step) ? { ...one, sql: `${one.sql}; SELECT stand_still();` } : one,
)
migrate(connection, { steps, keepCopy: (next) => keepCopy(connection, dataDir, next) })
