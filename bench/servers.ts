import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { bareId } from './bare-store.ts'
import { freePort, type Server, startServer } from './processes.ts'
import { untilApiIsQuiet } from './quiet-store.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export async function startBare(input: {
  dataDir: string
  rows: number
  sharedCommit?: boolean
}): Promise<{ server: Server; ids: string[] }> {
  const port = await freePort()
  const env = {
    PORT: String(port),
    DATA_DIR: input.dataDir,
    ROWS: String(input.rows),
    SHARED_COMMIT: input.sharedCommit ? '1' : '0',
    NODE_ENV: 'production',
  }
  const server = await startServer({ args: [here('bare-server.ts')], env, port, readyPath: '/health/ready' })
  return { server, ids: spread(input.rows).map(bareId) }
}

/** Returns record numbers spread over the tenant, so that requests do not read the same few pages of the file. */
export function spread(rows: number): number[] {
  const many = Math.min(rows, 5000)
  return Array.from({ length: many }, (_, i) => Math.floor((i * rows) / many))
}

export type Credentials = { email: string; password: string }
const stall = z.object({ stalledMs: z.number(), computedMs: z.number() })
export type Stall = z.infer<typeof stall>

/** Compile-cache folder of script/start. */
const compiled = here('../node_modules/.cache/compiled')

export type ApiServer = Server & {
  /** returns headers for every later request, including the CSRF token */
  signIn: (who: Credentials) => Promise<{ headers: Record<string, string> }>
  /** returns the longest stall of the event loop since the last call */
  longestStall: () => Promise<Stall>
  /** resolves when its background work has ended; required before every value at rest. Errors if the work does not end */
  untilQuiet: () => Promise<void>
}

type ApiOptions = { nodeFlags?: string[]; env?: NodeJS.ProcessEnv; isFree?: boolean }

/** Starts the API as an operator does, with a preloaded script that watches its event loop. `isFree`: the process may use all cores. */
export async function startApi(dataDir: string, options: ApiOptions = {}): Promise<ApiServer> {
  const { nodeFlags = [], env = {}, isFree = false } = options
  const port = await freePort()
  const watch = mkdtempSync(join(tmpdir(), 'prospect-bench-loop-'))
  const loopFile = join(watch, 'loop.json')
  const server = await startServer({
    // Use the flags of script/start.
    args: ['--v8-pool-size=1', ...nodeFlags, '--import', here('loop-watch.ts'), here('../apps/api/src/main.ts')],
    env: {
      DATA_DIR: dataDir,
      API_PORT: String(port),
      BENCH_LOOP_FILE: loopFile,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
    port,
    readyPath: '/api/v1/health/ready',
    isFree,
  })
  const stop = async () => {
    await server.stop()
    rmSync(watch, { recursive: true, force: true })
  }
  const longestStall = async () => {
    rmSync(loopFile, { force: true })
    process.kill(server.pid, 'SIGUSR2')
    for (let tries = 0; tries < 400; tries++) {
      await wait(5)
      const text = readIfThere(loopFile)
      if (text !== undefined) return stall.parse(JSON.parse(text))
    }
    throw new Error('the API did not say how long its event loop stood still')
  }
  return {
    ...server,
    stop,
    longestStall,
    untilQuiet: () => untilApiIsQuiet(server.pid, dataDir),
    signIn: (who) => signIn(port, who),
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

async function signIn(port: number, who: Credentials): Promise<{ headers: Record<string, string> }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: who.email, password: who.password }),
  })
  if (answer.status !== 201) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await answer.json())
  if (cookie === undefined) throw new Error('sign-in set no cookie')
  return { headers: { cookie, 'x-csrf-token': csrfToken } }
}
