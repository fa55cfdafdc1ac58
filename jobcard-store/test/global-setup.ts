import type { TestProject } from 'vitest/node'
import { startServer } from './servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    jobcardSocket: string
  }
}

/** Starts one server for all tests. Each test uses its own database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  project.provide('jobcardSocket', server.socket)
  return server.remove
}
