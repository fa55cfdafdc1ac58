import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { migrations } from '../../src/rooms/migrations.ts'
import { openConnection } from '../../src/store/engine/connection.ts'
import { migrate, schemaVersion } from '../../src/store/files/migrate.ts'
import { BEFORE_MIGRATIONS_FOLDER, STORE_FILE } from '../../src/store/files/store-files.ts'
import { compiledBefore } from '../run-node.ts'
import { temporaryFolder } from '../temporary-store.ts'
import { toySteps } from '../toy-steps.ts'

const program = join(import.meta.dirname, 'upgrade-process.ts')

function storeOf(steps: Parameters<typeof migrate>[1]['steps']): { dataDir: string; file: string } {
  const dataDir = temporaryFolder()
  const file = join(dataDir, STORE_FILE)
  const connection = openConnection(file)
  migrate(connection, { steps })
  connection.close()
  return { dataDir, file }
}

/** Reads the store's file while no process has it open. */
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

/** Upgrades the store. If a step is given, kills the process in the transaction of that step. */
async function upgrade(dataDir: string, step?: string): Promise<void> {
  const child = spawn(process.execPath, [program, dataDir, ...(step === undefined ? [] : [step])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...compiledBefore(), PATH: process.env.PATH },
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  if (step !== undefined) child.kill('SIGKILL')
  const [code, signal] = await ended
  if (step === undefined ? code !== 0 : signal !== 'SIGKILL')
    throw new Error(`The upgrade ended with ${code ?? signal}.`)
}

test('kill -9 within a step of an upgrade leaves the step before it whole, and the next start completes the upgrade', {
  timeout: 120_000,
}, async ({ expect }) => {
  const { dataDir, file } = storeOf(migrations)
  const older = openConnection(file)
  older.exec(
    `INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'From before', 'UTC', '2026-01-01')`,
  )
  older.close()
  const copies = join(dataDir, BEFORE_MIGRATIONS_FOLDER)
  for (const [index, { name, rewrites }] of toySteps.entries()) {
    await upgrade(dataDir, name)
    expect(lookInto(file)).toMatchObject({
      version: migrations.length + index,
      integrity: 'ok',
      foreignKeys: [],
      tenants: ['From before'],
    })
    expect(existsSync(copies) ? readdirSync(copies) : []).toEqual(rewrites ? [`before-${name}.sqlite`] : [])
  }
  await upgrade(dataDir)
  const { schema } = lookInto(storeOf([...migrations, ...toySteps]).file)
  expect(lookInto(file)).toMatchObject({
    version: migrations.length + toySteps.length,
    schema,
    integrity: 'ok',
    foreignKeys: [],
    tenants: ['From before'],
  })
})

test('kill -9 within each step of the first start leaves the step before it whole, and the next start completes it', {
  timeout: 120_000,
}, async ({ expect }) => {
  const dataDir = temporaryFolder()
  const file = join(dataDir, STORE_FILE)
  for (const [index, { name }] of migrations.entries()) {
    await upgrade(dataDir, name)
    const connection = openConnection(file)
    expect(schemaVersion(connection)).toBe(index)
    connection.close()
  }
  await upgrade(dataDir)
  expect(lookInto(file)).toMatchObject({ version: migrations.length + toySteps.length, integrity: 'ok', tenants: [] })
})
