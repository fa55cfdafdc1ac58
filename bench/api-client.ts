/** A signed-in person of a benchmark, and the jobs that the person starts. */
import { spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { newId } from '../apps/api/src/lib/ids.ts'
import type { ApiServer, Credentials } from './servers.ts'

const cli = fileURLToPath(new URL('../apps/api/src/cli.ts', import.meta.url))

/** Creates a person in a tenant of a stopped store. A person who exists already is not changed. */
export function createPerson(dataDir: string, tenantId: string, { email, password }: Credentials, role = 'manager') {
  const person = ['--email', email, '--name', 'Bench', '--tenant', tenantId, '--role', role]
  const created = spawnSync(process.execPath, [cli, 'user', 'create', ...person, '--password-file', '-'], {
    env: { ...process.env, DATA_DIR: dataDir },
    input: password,
    encoding: 'utf8',
  })
  if (created.status !== 0 && !created.stderr.includes('already')) throw new Error(created.stderr)
}

export type Client = Awaited<ReturnType<typeof openClient>>

/** Signs a person in. The functions throw for an answer that is not a success. */
export async function openClient(api: ApiServer, who: Credentials) {
  const { headers } = await api.signIn(who)
  const call = async (method: string, path: string, body?: object, extra: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, {
      method,
      headers: { ...headers, ...extra, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const told: unknown = await answer.json()
    if (answer.status >= 300)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(told)}`)
    return told
  }
  return {
    headers,
    get: (path: string) => call('GET', path),
    send: (path: string, body: object) => call('POST', path, body, { 'idempotency-key': newId() }),
    edit: (path: string, version: number, body: object) => call('PATCH', path, body, { 'if-match': `"${version}"` }),
  }
}

const ended = z.object({ status: z.string(), startedAt: z.string().nullable(), endedAt: z.string().nullable() })

/** Returns the seconds that a job ran; undefined while it runs or waits. Errors if the job failed. */
export function secondsOf(job: unknown): number | undefined {
  const { status, startedAt, endedAt } = ended.parse(job)
  if (status === 'failed') throw new Error('The job failed.')
  return endedAt === null || startedAt === null ? undefined : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000
}

/** Resolves with the seconds that a job ran. Errors if the job failed. */
export async function untilEnded({ get }: Client, jobId: string): Promise<number> {
  for (;;) {
    const seconds = secondsOf(await get(`/jobs/${jobId}`))
    if (seconds !== undefined) return seconds
    await delay(100)
  }
}
