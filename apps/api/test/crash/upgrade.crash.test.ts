import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'vitest'
import { openConnection } from '../../src/store/engine/connection.ts'
import { migrate, schemaVersion } from '../../src/store/files/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { STORE_FILE } from '../../src/store/store.ts'
import { compiledBefore, runNode } from '../run-node.ts'
import { temporaryFolder } from '../temporary-store.ts'

/** The schema before jobs, suppression, merges and all that came later. */
const OLDER = 11
const program = join(import.meta.dirname, 'upgrade-process.ts')

function older(): { dataDir: string; file: string } {
  const dataDir = temporaryFolder()
  const file = join(dataDir, STORE_FILE)
  const connection = openConnection(file)
  migrate(connection, { steps: migrations.slice(0, OLDER) })
  connection.exec(
    `INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'From before', 'UTC', '2026-01-01')`,
  )
  connection.close()
  return { dataDir, file }
}

/** What the file itself says when nobody has it open. */
function lookInto(file: string) {
  const connection = openConnection(file)
  try {
    return {
      version: schemaVersion(connection),
      schema: connection.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
      integrity: connection.pragma('integrity_check', { simple: true }),
      foreignKeys: connection.pragma('foreign_key_check'),
      tenants: connection.prepare('SELECT name FROM tenants').pluck().all(),
    }
  } finally {
    connection.close()
  }
}

async function killIn(step: number, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [program, dataDir, String(step)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...compiledBefore(), PATH: process.env.PATH },
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  child.kill('SIGKILL')
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error(`Step ${step} was not stopped in its middle.`)
}

test('kill -9 in the middle of each step of an upgrade leaves the step before it, whole, and the next start goes on to the end', {
  timeout: 120_000,
}, async ({ expect }) => {
  const { dataDir, file } = older()
  for (let step = OLDER + 1; step <= migrations.length; step++) {
    await killIn(step, dataDir)
    expect(lookInto(file)).toMatchObject({
      version: step - 1,
      integrity: 'ok',
      foreignKeys: [],
      tenants: ['From before'],
    })
  }
  const { exitCode, stdout } = await runNode('cli.ts', ['tenant', 'list'], { env: { DATA_DIR: dataDir } })
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('From before') })

  const fresh = join(temporaryFolder(), STORE_FILE)
  const connection = openConnection(fresh)
  migrate(connection)
  connection.close()
  const { schema } = lookInto(fresh)
  expect(lookInto(file)).toMatchObject({ version: migrations.length, schema, integrity: 'ok', foreignKeys: [] })
})
