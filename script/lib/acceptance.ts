/** Starts both servers on a temporary store, runs the acceptance against them, and deletes everything except the report. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from './free-port.ts'
import { openLogFile } from './log-file.ts'
import {
  failWhenEnded,
  type ManagedProcess,
  manage,
  startProcess,
  stopProcess,
  untilAskedToStop,
  untilHealthy,
  urlOf,
} from './managed-process.ts'

const HOST = '127.0.0.1'
const report = process.argv[2]
if (report === undefined) throw new Error('Start this through script/acceptance.')

const scratch = mkdtempSync(join(tmpdir(), 'prospect-acceptance-'))
const running: ManagedProcess[] = []
process.exitCode = await run(resolve(report))

/** Runs the acceptance and returns the exit code. It is 1 after a stop, because an incomplete run has not passed. */
async function run(file: string): Promise<number> {
  try {
    return await Promise.race([accept(file), untilAskedToStop().then(() => 1)])
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    for (const process of running) await stopProcess(process)
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function accept(file: string): Promise<number> {
  const apiPort = await portOf('ACCEPTANCE_API_PORT')
  const webPort = await portOf('ACCEPTANCE_WEB_PORT')
  const [apiUrl, webUrl] = [urlOf(HOST, apiPort), urlOf(HOST, webPort)]
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATA_DIR: join(scratch, 'data'),
    // Temporary files of a stopped child are in this folder too, which is deleted.
    TMPDIR: scratch,
    API_PORT: apiPort,
    WEB_PORT: webPort,
    API_URL: apiUrl,
    TRUST_PROXY: HOST,
    LOG_LEVEL: 'warn',
    ...revision(),
  }
  const start = (name: string, args: string[]) => {
    const server = startProcess({ name, args, env, output: openLogFile(join(scratch, `${name}.log`)) })
    running.unshift(server)
    return server
  }
  const api = start('API', ['apps/api/src/main.ts'])
  await untilHealthy(api, `${apiUrl}/api/v1/health/ready`)
  const web = start('web', ['apps/web/server/main.ts'])
  await untilHealthy(web, `${webUrl}/healthz`)
  const args = ['apps/api/src/cli.ts', 'acceptance', '--api-url', apiUrl, '--web-url', webUrl, '--report', file]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const acceptance = manage('acceptance', child, { write: () => {}, lastWords: () => '' })
  running.unshift(acceptance)
  const ended = acceptance.ended.then(() => child.exitCode ?? 1)
  return await Promise.race([ended, failWhenEnded(api), failWhenEnded(web)])
}

/** Returns the tested commit, marked if the worktree has uncommitted changes. */
function revision(): { PROSPECT_REVISION?: string } {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  const head = git('rev-parse', 'HEAD')
  if (head.status !== 0) return {}
  const isChanged = git('status', '--porcelain').stdout.trim() !== ''
  return { PROSPECT_REVISION: `${head.stdout.trim()}${isChanged ? '-with-changes' : ''}` }
}

/** Returns the requested port, or a free one. */
async function portOf(variable: string): Promise<string> {
  return process.env[variable] || String(await freePort(HOST))
}
