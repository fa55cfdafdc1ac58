import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../src/rooms/migrations.ts'
import { openConnection } from '../../src/store/engine/connection.ts'
import { copyBeforeMigration } from '../../src/store/files/enter-store.ts'
import { migrate } from '../../src/store/files/migrate.ts'
import { STORE_FILE } from '../../src/store/files/store-files.ts'
import { toySteps } from '../toy-steps.ts'

/*
 * Upgrades a store as a start does, to a schema with two further steps. If a step is named, pauses in the transaction of that step when all of its
 * work is done and none of it is committed, which is the worst moment for a kill.
 *
 * upgrade-process.ts <data folder> [step]
 */

const [dataDir = '', step] = process.argv.slice(2)
const connection = openConnection(join(dataDir, STORE_FILE))
connection.function('pause', () => {
  writeSync(process.stdout.fd, 'paused\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0)
  return null
})
const steps = [...migrations, ...toySteps].map((one) =>
  one.name === step ? { ...one, sql: `${one.sql}; SELECT pause();` } : one,
)
migrate(connection, { steps, copyBeforeMigration: (next) => copyBeforeMigration(connection, dataDir, next) })
connection.close()
