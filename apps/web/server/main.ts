import { join } from 'node:path'
import { ConfigRefused, readConfig } from './config.ts'
import { createWebServer } from './web-server.ts'

/** Time limit for open responses during shutdown, so that a download that never ends cannot block the exit. */
const SHUTDOWN_PATIENCE_MS = 10_000

const distFolder = join(import.meta.dirname, '..', 'dist')

try {
  const config = readConfig(process.env)
  const app = await createWebServer(config, distFolder)
  await app.listen({ host: config.host, port: config.port })

  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      app.log.info({ signal }, 'stopping: finishing what is in flight')
      setTimeout(() => process.exit(1), SHUTDOWN_PATIENCE_MS).unref()
      app.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
} catch (error) {
  console.error(refusalOf(error))
  process.exit(1)
}

function refusalOf(error: unknown): string {
  if (error instanceof ConfigRefused) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') return 'The port is in use: stop what listens there, or set WEB_PORT to another one.'
  if (code === 'EACCES') return 'The port may not be opened by this user: set WEB_PORT to one above 1023.'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'WEB_HOST is not an address of this machine: set it to one, such as 127.0.0.1.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
