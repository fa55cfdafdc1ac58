import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLogFile } from '../../../script/lib/log-file.ts'
import { startProcess, stopProcess, untilHealthy, urlOf } from '../../../script/lib/managed-process.ts'
import { administrator } from './fixtures.ts'

const host = '127.0.0.1'
const logs = 'test-results/logs'

export type RunningApp = { url: string; stop(): Promise<void> }

/** Starts the API on an empty store with one administrator, and the built web app in front of it. */
export async function startApp(): Promise<RunningApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'prospect-browser-'))
  const [apiPort, webPort] = [await freePort(), await freePort()]
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' }

  const api = startProcess({
    name: 'API',
    args: ['apps/api/src/main.ts'],
    env: {
      ...env,
      DATA_DIR: dataDir,
      API_PORT: String(apiPort),
      WEB_PORT: String(webPort),
      BOOTSTRAP_ADMIN_EMAIL: administrator.email,
      BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
    },
    output: openLogFile(`${logs}/api.log`),
  })
  const web = startProcess({
    name: 'web app',
    args: ['apps/web/server/main.ts'],
    env: { ...env, WEB_PORT: String(webPort), API_URL: urlOf(host, apiPort) },
    output: openLogFile(`${logs}/web.log`),
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
  return { url: urlOf(host, webPort), stop }
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
