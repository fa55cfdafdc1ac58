import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../script/lib/free-port.ts'
import { openLogFile } from '../../../script/lib/log-file.ts'
import { startProcess, stopProcess, untilHealthy, urlOf } from '../../../script/lib/managed-process.ts'

const host = '127.0.0.1'
const logs = 'test-results/logs'

export type RunningApp = {
  url: string
  /** process id of the API */
  apiPid: number
  /** Runs a command on the store of the app, with its settings. */
  cli: Cli
  stop(): Promise<void>
}

/** Runs a command of the API's CLI on the new store; resolves to the last line of its output. */
export type Cli = (args: string[], input?: string) => Promise<string>
type StartOptions = {
  /** Folder from `makeSeed`, which is copied for the app. Without it the store is empty. */
  seed?: string
  /** First part of the log names, because several apps run at a time. */
  logName: string
  /** Additional settings of the API. */
  settings?: Record<string, string>
}

const env = { PATH: process.env.PATH, NODE_ENV: 'production' }

/**
 * Host name that the browser resolves to this machine (playwright.config.ts). Unlike pages of `localhost`, its pages over plain HTTP are not a
 * secure context.
 */
export const insecureHost = 'prospects.test'

/** Creates an initial store, filled through the CLI, for apps to copy. */
export async function makeSeed(
  fill: (cli: Cli) => Promise<void>,
): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'prospect-browser-seed-'))
  await fill((args, input) => runCli({ ...env, DATA_DIR: folder }, args, input))
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

/** Starts the API with its own store, and the built web app in front of it. */
export async function startApp({ seed, logName, settings = {} }: StartOptions): Promise<RunningApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'prospect-browser-'))
  if (seed !== undefined) await cp(seed, dataDir, { recursive: true })
  const [apiPort, webPort] = [await freePort(host), await freePort(host)]

  const api = startProcess({
    name: 'API',
    args: ['apps/api/src/main.ts'],
    env: {
      ...env,
      DATA_DIR: dataDir,
      API_PORT: String(apiPort),
      WEB_PORT: String(webPort),
      PUBLIC_HOSTS: insecureHost,
      ...settings,
    },
    output: openLogFile(`${logs}/${logName}-api.log`),
  })
  const web = startProcess({
    name: 'web app',
    args: ['apps/web/server/main.ts'],
    env: { ...env, WEB_PORT: String(webPort), API_URL: urlOf(host, apiPort), PUBLIC_HOSTS: insecureHost },
    output: openLogFile(`${logs}/${logName}-web.log`),
  })
  const stop = async () => {
    await stopProcess(web)
    await stopProcess(api)
    await rm(dataDir, { recursive: true })
  }

  try {
    await untilHealthy(api, `${urlOf(host, apiPort)}/api/v1/health/ready`)
    await untilHealthy(web, `${urlOf(host, webPort)}/healthz`)
  } catch (error) {
    await stop()
    throw error
  }
  const { pid: apiPid } = api.child
  if (apiPid === undefined) throw new Error('The API has no process id.')
  return {
    apiPid,
    // `localhost` instead of an address: passkeys require a host name.
    url: urlOf('localhost', webPort),
    cli: (args, input) => runCli({ ...env, DATA_DIR: dataDir, ...settings }, args, input),
    stop,
  }
}

function runCli(env: Record<string, string | undefined>, args: string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ['apps/api/src/cli.ts', ...args], { env }, (error, stdout) =>
      error === null ? resolve(stdout.trim().split('\n').at(-1) ?? '') : reject(error),
    )
    child.stdin?.end(input)
  })
}
