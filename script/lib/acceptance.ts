/** Starts both servers on a store of their own, runs the acceptance against them, and leaves nothing but the report. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openLogFile } from './log-file.ts'
import {
  failWhenEnded,
  type ManagedProcess,
  startProcess,
  stopProcess,
  untilHealthy,
  urlOf,
} from './managed-process.ts'

const HOST = '127.0.0.1'
const report = process.argv[2]
if (report === undefined) throw new Error('Start this through script/acceptance.')

const scratch = mkdtempSync(join(tmpdir(), 'prospect-acceptance-'))
process.exitCode = await run(resolve(report)).finally(() => rmSync(scratch, { recursive: true, force: true }))

async function run(file: string): Promise<number> {
  const apiPort = await portOf('ACCEPTANCE_API_PORT')
  const webPort = await portOf('ACCEPTANCE_WEB_PORT')
  const [apiUrl, webUrl] = [urlOf(HOST, apiPort), urlOf(HOST, webPort)]
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATA_DIR: join(scratch, 'data'),
    API_PORT: apiPort,
    WEB_PORT: webPort,
    API_URL: apiUrl,
    TRUST_PROXY: HOST,
    LOG_LEVEL: 'warn',
    ...revision(),
  }
  const start = (name: string, args: string[]) =>
    startProcess({ name, args, env, output: openLogFile(join(scratch, `${name}.log`)) })
  const running: ManagedProcess[] = []
  try {
    const api = start('API', ['apps/api/src/main.ts'])
    running.unshift(api)
    await untilHealthy(api, `${apiUrl}/api/v1/health/ready`)
    const web = start('web', ['apps/web/server/main.ts'])
    running.unshift(web)
    await untilHealthy(web, `${webUrl}/healthz`)
    const args = ['apps/api/src/cli.ts', 'acceptance', '--api-url', apiUrl, '--web-url', webUrl, '--report', file]
    const acceptance = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
    const ended = once(acceptance, 'close').then(([code]) => (typeof code === 'number' ? code : 1))
    return await Promise.race([ended, failWhenEnded(api), failWhenEnded(web)])
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    for (const process of running) await stopProcess(process)
  }
}

/** The commit that is tried; what was changed since is part of what is tried, so it is said. */
function revision(): { PROSPECT_REVISION?: string } {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  const head = git('rev-parse', 'HEAD')
  if (head.status !== 0) return {}
  const isChanged = git('status', '--porcelain').stdout.trim() !== ''
  return { PROSPECT_REVISION: `${head.stdout.trim()}${isChanged ? '-with-changes' : ''}` }
}

/** The one that was asked for, or one that was free a moment ago. */
async function portOf(variable: string): Promise<string> {
  const asked = process.env[variable]
  if (asked) return asked
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return String(address.port)
}
