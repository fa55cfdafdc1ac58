import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { TestApp } from '../build-app.ts'
import { temporaryFolder } from '../template-store.ts'
import type { MergeTask } from './merge-task.ts'

/** Compiled code, kept by the first process for the others. */
const compiled = temporaryFolder()

/** The folder as it is, while nothing is being written. */
export async function copyOf(t: Pick<TestApp, 'store'>): Promise<string> {
  await t.store.writes.idle()
  const folder = temporaryFolder()
  cpSync(t.store.dataDir, folder, { recursive: true })
  return folder
}

/** Runs the task until the statement of that number, or to its end. Answers the statements that ran; none of a process that was killed. */
export async function run(task: MergeTask, diesAt?: number): Promise<string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'merge-process.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compiled,
      TASK: JSON.stringify(task),
      DIES_AT: diesAt === undefined ? '' : String(diesAt),
    },
  })
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(signal).toBe(diesAt === undefined ? null : 'SIGKILL')
  return diesAt === undefined ? (JSON.parse(said) as string[]) : []
}
