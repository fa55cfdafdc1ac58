import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { BenchmarkError, some } from './figures.ts'
import { type LoadPlan, type LoadResult, loadResult } from './load.ts'

/** Runs the server on the first core and the driver on the second, if the machine has two. */
const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
const serverCore = '0'
const driverCore = '1'

function spawnOn(core: string | null, args: string[], env: NodeJS.ProcessEnv, ipc: boolean): ChildProcess {
  const [command, rest] =
    pinned && core !== null ? ['taskset', ['-c', core, process.execPath, ...args]] : [process.execPath, args]
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  return spawn(command, rest, { env: { ...process.env, ...env }, stdio: ipc ? [...stdio, 'ipc'] : [...stdio] })
}

export const wherePinned = pinned ? 'server on core 0, driver on core 1' : 'not pinned to cores'

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}

export type Server = { port: number; pid: number; readyMs: number; stop: () => Promise<void> }

/**
 * Starts a server process and waits until `readyPath` responds with 200. `readyMs` is the time since the start of the process. `isFree`: the process
 * may use all cores.
 */
export async function startServer(input: {
  args: string[]
  env: NodeJS.ProcessEnv
  port: number
  readyPath: string
  isFree?: boolean
}): Promise<Server> {
  const started = performance.now()
  const child = spawnOn(input.isFree === true ? null : serverCore, input.args, input.env, false)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answersOk(`http://127.0.0.1:${input.port}${input.readyPath}`))) {
    if (child.exitCode !== null) throw new Error(`${input.args.join(' ')} ended with code ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const readyMs = performance.now() - started
  const { pid } = child
  if (pid === undefined) throw new Error(`${input.args.join(' ')} has no process id`)
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { port: input.port, pid, readyMs, stop }
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

export type Driver = { run: (plan: LoadPlan) => Promise<LoadResult>; stop: () => void }

/** Starts one driver process for all rounds, so that no round includes its warm-up. */
export function startDriver(): Driver {
  const child = spawnOn(driverCore, [fileURLToPath(new URL('load.ts', import.meta.url))], {}, true)
  const run = (plan: LoadPlan) =>
    new Promise<LoadResult>((resolve, reject) => {
      const ended = () => reject(new Error('the load driver ended'))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        const result = loadResult.parse(message)
        if (result.failures === 0) {
          // Without a response the percentiles are 0, which meets every aim.
          if (result.requests > 0) resolve(result)
          else reject(new BenchmarkError('There is nothing to measure: no request was answered.'))
        } else reject(new Error(`${result.failures} failures of ${result.requests}, the first: ${result.firstFailure}`))
      })
      child.send(plan)
    })
  return { run, stop: () => child.disconnect() }
}

/** Returns resident memory in MB: the current value and the peak. */
export function memoryOf(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / 1024
  return { nowMb: read('VmRSS'), peakMb: read('VmHWM') }
}

/** Returns the processor time of all threads so far, in microseconds. Other processes on the machine affect it little. */
export function processorTimeOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'),
  )
  return threads.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1000, 0)
}

const TICKS_A_SECOND = 100

/** Returns the processor time of a process so far, including ended threads, in steps of a hundredth of a second. */
export function processorSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

/** Returns a percentile of the values. `part` is between 0 and 1. Errors if there is no value. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  some(sorted.length, 'values for a percentile')
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new BenchmarkError('There is nothing to measure: no values for a median.')
  return middle
}
