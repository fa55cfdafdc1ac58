import { appUrlVariable } from './fixtures.ts'
import { startApp } from './server.ts'

/** Before the first test; what it returns runs after the last. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const app = await startApp()
  process.env[appUrlVariable] = app.url
  return app.stop
}
