import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const HEALTHY_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 500
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

export type Run = { exitCode: number; stdout: string; stderr: string }

const project = 'prospect-stack-test'
export const volume = 'prospect-stack-test-data'
export const ports = { api: 21_710, web: 21_711 }
/** Folder that is mounted at /run/secrets. */
export const secrets = mkdtempSync(join(tmpdir(), 'prospect-stack-secrets-'))
mkdirSync(secrets, { recursive: true })

/** Settings of the tested stack. All tests share them and run in order. */
export const settings: Record<string, string> = {
  COMPOSE_PROJECT_NAME: project,
  API_PORT: String(ports.api),
  WEB_PORT: String(ports.web),
  DATA_VOLUME: volume,
  BACKUP_VOLUME_NAME: 'prospect-stack-test-backups',
  SECRETS_DIR: secrets,
  TAG: 'stack-test',
}

export function run(program: string, args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, ...settings }
    execFile(program, args, { env, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ exitCode, stdout, stderr })
    })
  })
}

/** Runs a program and returns its output. Throws with the output if the program fails. */
async function must(program: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(program, args)
  if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}:\n${stdout}${stderr}`)
  return stdout.trim()
}

export const docker = (...args: string[]) => must('docker', ...args)
export const stackCli = (...args: string[]) => run('script/stack-cli', args)

export async function compose(...args: string[]): Promise<string> {
  const hasPlugin = (await run('docker', ['compose', 'version'])).exitCode === 0
  return hasPlugin ? must('docker', 'compose', ...args) : must('docker-compose', ...args)
}

export async function containerOf(service: 'api' | 'web'): Promise<string> {
  return compose('ps', '-q', service)
}

export async function untilHealthy(container: string): Promise<void> {
  const givesUpAt = performance.now() + HEALTHY_WITHIN_MS
  for (;;) {
    const state = await docker('inspect', '--format', '{{.State.Health.Status}}', container)
    if (state === 'healthy') return
    if (performance.now() > givesUpAt) throw new Error(`${container} is ${state}: ${await docker('logs', container)}`)
    await wait(LOOK_EVERY_MS)
  }
}

/** Runs a command in a new container of the API's image, with the restrictions of the stack: read-only, without capabilities. */
export function once(mounts: readonly string[], ...command: string[]): Promise<Run> {
  const locked = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--tmpfs', '/tmp']
  return run('docker', ['run', '--rm', '--init', ...locked, ...mounts, 'prospect-platform/api:stack-test', ...command])
}

export function writeSecret(name: string, text: string): string {
  // Make the file readable by all, because the service is user 1000 but this test owns the folder.
  writeFileSync(join(secrets, name), text, { mode: 0o644 })
  return `/run/secrets/${name}`
}

/** Kills a container after `ms`. If it starts later on a busy machine, it is killed as soon as it exists. */
export async function killAfter(ms: number, name: string, running: Promise<Run>): Promise<void> {
  await wait(ms)
  let ended = false
  const end = running.then(() => {
    ended = true
  })
  while (!ended) {
    await run('docker', ['kill', name])
    await Promise.race([end, wait(LOOK_EVERY_MS)])
  }
}
