import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from './lib/free-port.ts'
import { openLogFile } from './lib/log-file.ts'
import { type ManagedProcess, startProcess, stopProcess, untilHealthy } from './lib/managed-process.ts'

/* Runs the blocks of docs/runbook.md that are marked `sh safe`, in order. People run these commands under pressure, so they must work unchanged. */

const runbook = readFileSync('docs/runbook.md', 'utf8')
const blocks = [...runbook.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({ kind, text }))
const safe = blocks.filter(({ kind }) => kind === 'sh safe').map(({ text }) => text)

let folder: string
let env: Record<string, string | undefined>
const running: ManagedProcess[] = []

beforeAll(async () => {
  execFileSync('bash', ['-c', 'source script/lib/common.sh; forget_settings; use_node; build_web'])
  folder = mkdtempSync(join(tmpdir(), 'prospect-runbook-'))
  const { PATH, HOME, XDG_CACHE_HOME } = process.env
  const data = join(folder, 'data')
  const [API_PORT, WEB_PORT] = [String(await freePort()), String(await freePort())]
  env = { PATH, HOME, DATA_DIR: data, API_PORT, WEB_PORT, SECRETS: join(folder, 'secrets'), BACKUP_HOOK: 'true' }
  if (XDG_CACHE_HOME) env.XDG_CACHE_HOME = XDG_CACHE_HOME
  const { NODE_COMPILE_CACHE } = process.env
  const server = { ...env, NODE_COMPILE_CACHE, API_URL: `http://127.0.0.1:${API_PORT}`, LOG_LEVEL: 'warn' }
  const start = async (name: string, args: string[], url: string) => {
    const one = startProcess({ name, args, env: server, output: openLogFile(join(data, `logs/${name}.log`)) })
    running.unshift(one)
    await untilHealthy(one, url)
  }
  execFileSync('bash', ['-c', 'script/cli tenant create --name Main'], { env })
  await start('api', ['apps/api/src/main.ts'], `http://127.0.0.1:${API_PORT}/api/v1/health/ready`)
  await start('web', ['apps/web/server/main.ts'], `http://127.0.0.1:${WEB_PORT}/healthz`)
}, 240_000)

afterAll(async () => {
  for (const one of running) await stopProcess(one)
  rmSync(folder, { recursive: true, force: true })
})

test('the safe commands work unchanged', () => {
  expect(safe.length).toBeGreaterThan(3)
  for (const block of safe) {
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', block], { env, encoding: 'utf8' })
    expect({ block, status, said: status === 0 ? '' : stdout + stderr }).toEqual({ block, status: 0, said: '' })
  }
}, 300_000)

test('every named script and command exists', () => {
  const code = [
    ...blocks.map(({ text }) => text),
    ...[...runbook.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text),
  ]
  const scripts = new Set(code.flatMap((text) => [...text.matchAll(/\bscript\/[\w-]+/g)].map(([name]) => name)))
  expect(scripts.size).toBeGreaterThan(4)
  expect([...scripts].filter((name) => !existsSync(name))).toEqual([])

  const { stdout } = spawnSync('script/cli', ['--help'], { env, encoding: 'utf8' })
  const known = [...stdout.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gm)].map(([, name = '']) => name)
  const typed = code.flatMap((text) =>
    [...text.matchAll(/\bscript\/(?:stack-)?cli ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, words = '']) => words),
  )
  expect(typed.length).toBeGreaterThan(8)
  const unknown = typed.filter((words) => !known.includes(words) && !known.includes(words.split(' ')[0] ?? ''))
  expect(unknown).toEqual([])
})
