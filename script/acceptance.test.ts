import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaFaults } from '../apps/api/src/cli/acceptance/write-report.ts'
import { freePort } from './lib/free-port.ts'
import { foreignTraffic, traceArguments } from './lib/network-trace.ts'

/*
 * Runs the acceptance as an operator does. If the machine permits it, the run is in a network without an exit and under a trace of network system
 * calls. apps/api/test/no-outbound.test.ts watches functions of the API; this test watches system calls of both servers, all commands and all routes.
 */

const folder = mkdtempSync(join(tmpdir(), 'prospect-acceptance-test-'))
let run: { status: number | null; stdout: string; stderr: string }

const isolation = findIsolation()
const canTrace = spawnSync('strace', ['-f', '-e', 'trace=connect', 'true']).status === 0

beforeAll(() => {
  execFileSync('bash', [
    '-c',
    'source script/lib/common.sh; packages_are_current || die "Run script/check once: it installs the packages."; forget_settings; build_web',
  ])
  run = start(['script/acceptance'], 'trace')
}, 420_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program in an isolated network and under a trace, if the machine permits both. */
function start(command: string[], trace: string): typeof run {
  const traced = canTrace ? [...traceArguments(join(folder, trace)), ...command] : command
  const [program = '', ...args] = [...isolation, ...traced]
  return spawnSync(program, args, { env: environment('data'), encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
}

function environment(dataDir: string): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_CACHE_HOME } = process.env
  const cache = XDG_CACHE_HOME ? { XDG_CACHE_HOME } : {}
  return { PATH, HOME, ...cache, DATA_DIR: join(folder, dataDir) }
}

function report() {
  return JSON.parse(readFileSync(join(folder, 'data/acceptance/report.json'), 'utf8'))
}

test('every check passes, and the report fits its schema', () => {
  expect(run.stderr).not.toContain('FAILED')
  expect([0, 3]).toContain(run.status)
  const written = report()
  expect(schemaFaults(written)).toBeNull()
  expect(written.blockers.filter(({ status }: { status: string }) => status === 'failed')).toEqual([])
  expect(written.passed).toBe(run.status === 0)
  expect(written.checks.run.commit).toMatch(/^[0-9a-f]{40}(-with-changes)?$/)
})

test('the capacity smoke reports its figures', () => {
  const { loads, passed } = report().capacity_smoke
  expect(passed).toBe(true)
  expect(Object.keys(loads)).toEqual(['create', 'list', 'detail', 'brief', 'draft_check'])
  for (const load of Object.values(loads)) {
    expect(load).toMatchObject({ failures: 0, per_second: expect.any(Number), p99_ms: expect.any(Number) })
  }
})

test('leaves only the report', () => {
  expect(readdirSync(join(folder, 'data'), { recursive: true }).sort()).toEqual([
    'acceptance',
    'acceptance/report.json',
  ])
})

test('a stopped run does not pass, and leaves neither servers nor files', async () => {
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const port = String(await freePort())
  const env = { ...environment('stopped'), TMPDIR: temporary, ACCEPTANCE_API_PORT: port }
  const child = spawn('script/acceptance', { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => String(chunk).includes('passed') && resolve())
    child.once('close', () => resolve())
  })
  child.kill('SIGINT')
  expect(await ended).toEqual([1, null])
  expect(readdirSync(temporary)).toEqual([])
  await expect(fetch(`http://127.0.0.1:${port}/api/v1/health/live`)).rejects.toThrow()
})

test('passes in a network with no way out', () => {
  if (isolation.length === 0) {
    console.log('Not tested: this machine does not permit a network namespace (unshare --net with ip link).')
    return
  }
  expect(reachOut('control-alone').status).toBe(7)
  expect(run.status).not.toBe(1)
})

test('the trace of system calls contains no attempt beyond loopback', () => {
  if (!canTrace) {
    console.log('Not tested: strace is not installed, or may not trace.')
    return
  }
  // Verify that the trace works: it must contain the acceptance's connections to its own servers.
  reachOut('control')
  expect(foreignTraffic(linesOf('control')).length).toBeGreaterThan(0)
  expect(linesOf('trace').filter((line) => line.includes('127.0.0.1')).length).toBeGreaterThan(10)
  expect(foreignTraffic(linesOf('trace'))).toEqual([])
})

/** Runs a program that connects to an unassigned address (RFC 5737). It exits with 7 if it cannot. */
function reachOut(trace: string): typeof run {
  const attempt = `fetch('http://192.0.2.1/', { signal: AbortSignal.timeout(5000) }).then(() => process.exit(0), () => process.exit(7))`
  return start([process.execPath, '--eval', attempt], trace)
}

function linesOf(trace: string): string[] {
  return readFileSync(join(folder, trace), 'utf8').split('\n')
}

/**
 * Returns the command that runs another one in a network with only a loopback interface. Returns an empty list if the machine does not permit that.
 */
function findIsolation(): string[] {
  const up = ['bash', '-c', 'ip link set lo up && exec "$@"', 'alone']
  const ways = [
    ['unshare', '--net', ...up],
    ['unshare', '--map-root-user', '--net', ...up],
  ]
  return ways.find(([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0) ?? []
}
