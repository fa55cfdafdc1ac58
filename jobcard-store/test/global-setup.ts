import type { TestProject } from 'vitest/node'
import { startServer } from './servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    jobcardSocket: string
  }
}

/** One server for all tests; each test takes a database of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  project.provide('jobcardSocket', server.socket)
  return server.remove
}
