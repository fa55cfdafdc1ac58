/**
 * Starts the API and the web app, waits until both are healthy and prints how to sign in. Stops both when one of them ends or on Ctrl-C. script/start
 * runs it with the built web app, script/dev with --watch. common.sh has set all defaults.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type FirstAdministrator, firstAdministrator, withoutFirstAdministrator } from './first-administrator.ts'
import { openLogFile } from './log-file.ts'
import {
  failWhenEnded,
  type ManagedProcess,
  type Output,
  publicHostsOf,
  startProcess,
  stopProcess,
  untilAskedToStop,
  untilHealthy,
  urlOf,
} from './managed-process.ts'

const { values: options } = parseArgs({ options: { sample: { type: 'boolean' }, watch: { type: 'boolean' } } })

const logs = `${setting('DATA_DIR')}/logs`
const webUrl = urlOf(setting('WEB_HOST'), setting('WEB_PORT'))
const apiUrl = urlOf(setting('API_HOST'), setting('API_PORT'))
const env = {
  ...withoutFirstAdministrator(process.env),
  API_URL: process.env.API_URL || apiUrl,
  PUBLIC_HOSTS: publicHostsOf([webUrl, apiUrl], process.env.PUBLIC_HOSTS),
}
/**
 * All requests reach the API through the web server on this machine. The API must trust the addresses that it forwards, because rate limits apply by
 * address.
 */
const apiEnv = { ...env, TRUST_PROXY: ['127.0.0.1', process.env.TRUST_PROXY].filter(Boolean).join(',') }
const commandLine = 'apps/api/src/cli.ts'

process.exitCode = await serve()

async function serve(): Promise<number> {
  const askedToStop = untilAskedToStop()
  const users = countUsers()
  if (users === undefined) return 1

  const administrator = users === 0 ? firstAdministrator(process.env) : undefined
  const api = startApi(administrator)
  const web = startWeb()
  const running = [web, api] // stopped in this order, so that no page loses its API first
  let announced = false
  let stopping = false

  const serving = async () => {
    await Promise.all([
      untilHealthy(api, `${apiUrl}/api/v1/health/ready`),
      untilHealthy(web, options.watch ? webUrl : `${webUrl}/healthz`),
    ])
    if (options.sample) await addSampleData(running)
    if (stopping) return
    announce(administrator)
    announced = true
    await Promise.race([failWhenEnded(api), failWhenEnded(web)])
  }

  try {
    await Promise.race([serving(), askedToStop])
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    stopping = true
    for (const process of running) await stopProcess(process)
    // Print the password even after a failure, because the API may have created the account before it. The password would otherwise be lost with this
    // process.
    if (administrator && !announced && countUsers()) console.log(administrator.signIn)
  }
}

/**
 * Returns the number of users; 0 if the store does not exist yet. Returns undefined if the command failed, in which case it has printed the reason.
 */
function countUsers(): number | undefined {
  const { status, stdout } = spawnSync(process.execPath, [commandLine, 'user', 'count', '--may-be-new'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return status === 0 && /^\d+$/.test(stdout.trim()) ? Number(stdout) : undefined
}

function startApi(administrator: FirstAdministrator | undefined): ManagedProcess {
  const watch = options.watch ? ['--watch', '--watch-preserve-output'] : []
  return startProcess({
    name: 'API',
    // With one V8 helper thread the process needs 2 MB less and is as fast.
    args: ['--v8-pool-size=1', ...watch, 'apps/api/src/main.ts'],
    env: administrator ? { ...process.env, ...apiEnv, ...administrator.env } : apiEnv,
    output: outputOf('api'),
  })
}

function startWeb(): ManagedProcess {
  const vite = [
    '../../node_modules/vite/bin/vite.js',
    '--host',
    setting('WEB_HOST'),
    '--port',
    setting('WEB_PORT'),
    '--strictPort',
  ]
  return startProcess({
    name: 'web app',
    ...(options.watch ? { args: vite, cwd: 'apps/web' } : { args: ['apps/web/server/main.ts'] }),
    env,
    output: outputOf('web'),
  })
}

/** Returns the output of a server: a log file, or the terminal during development. */
function outputOf(name: string): Output {
  return options.watch ? onTerminal(name) : openLogFile(`${logs}/${name}.log`)
}

function onTerminal(name: string): Output {
  return {
    write: (chunk) => console.log(Buffer.from(chunk).toString().trimEnd().replaceAll(/^/gm, `${name} │ `)),
    lastWords: () => '',
  }
}

/** Adds sample data. If the tenant has records, the command reports that and changes nothing, and the servers continue. */
async function addSampleData(running: ManagedProcess[]): Promise<void> {
  console.log('Adding sample data.')
  const sample = startProcess({
    name: 'sample data',
    args: [commandLine, 'sample-data'],
    env,
    output: { write: (chunk) => process.stdout.write(chunk), lastWords: () => '' },
  })
  running.unshift(sample)
  const end = await sample.ended
  if (end !== 'exit code 0')
    console.log('The sample data is not complete; the reason is above. The servers run with what there is.')
}

function announce(administrator: FirstAdministrator | undefined): void {
  console.log(`
Prospect Platform is running: ${webUrl}
${administrator?.signIn ?? 'Sign in with the account you have.'}
${options.watch ? '' : `\nThe servers log to ${logs}/api.log and ${logs}/web.log.\n`}
Ctrl-C stops it.`)
}

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is missing: start this through script/start or script/dev.`)
  return value
}
