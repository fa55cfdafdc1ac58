import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestApp } from '../build-app.ts'
import { temporaryFolder } from '../template-store.ts'
import type { MergeTask } from './merge-task.ts'

/** Folder of compiled code, which the first process writes and the others reuse. */
const compiled = temporaryFolder()

/** Copies the data folder in its current state, at a time when nothing is being written. */
export async function copyOf(t: Pick<TestApp, 'store'>): Promise<string> {
  await t.store.writes.idle()
  const folder = temporaryFolder()
  cpSync(t.store.dataDir, folder, { recursive: true })
  return folder
}

/** Runs the task up to the statement with this number, or to its end. Returns the executed statements; none if the process was killed. */
export async function run(task: MergeTask, diesAt?: number): Promise<string[]> {
  const ran = join(temporaryFolder(), 'ran')
  const script = (name: string) => join(import.meta.dirname, name)
  const child = spawn(process.execPath, ['--import', script('dies-at-statement.ts'), script('merge-process.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compiled,
      TASK: JSON.stringify(task),
      DIES_AT: diesAt === undefined ? '' : String(diesAt),
      RAN: ran,
    },
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe(diesAt === undefined ? null : 'SIGKILL')
  const lines = diesAt === undefined ? readFileSync(ran, 'utf8').trimEnd().split('\n') : []
  return lines.map((line): string => JSON.parse(line))
}
