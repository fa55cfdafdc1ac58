import { sha256 } from '../src/lib/hashing.ts'
import { newId } from '../src/lib/ids.ts'
import { jobKindsOf } from '../src/rooms/jobs/jobs.ts'
import { registryConfirmationJob, registryFileJob, registryResultJob } from '../src/rooms/registry/registry.jobs.ts'
import type { Round } from '../src/rooms/registry/registry.schema.ts'
import type { Answer, TestApp } from './build-app.ts'
import { untilJob, work } from './job-world.ts'

export const registryKinds = jobKindsOf([registryFileJob, registryResultJob, registryConfirmationJob])

/** Starts a worker for registry rounds. Returns a function that runs a round from its start to its end and returns it. `listed`: the lines of its result. */
export function roundsIn(t: TestApp) {
  const { store } = t
  work({ store, kinds: registryKinds })
  const ended = (jobId: string | undefined) => untilJob(store, jobId ?? '', ({ ended_at }) => ended_at !== null)
  return async (listed: readonly string[], body: Record<string, unknown> = {}): Promise<Round> => {
    const manager = await t.as('manager')
    const wanted = { kinds: ['phone', 'email'], form: 'plain', ...body }
    const started = accepted(await manager.post<Round>('/registry-rounds', wanted, { 'idempotency-key': newId() }))
    await ended(started.jobId)
    const path = `/registry-rounds/${started.id}`
    // The id of the round, so that no two results are equal.
    const result = ['round,value', `${started.id},`, ...listed.map((value) => `${started.id},${value}`), ''].join('\n')
    const sent = accepted(await manager.post<Round>(`${path}/results`, result as never, { 'content-type': 'text/csv' }))
    await ended(sent.result?.jobId)
    const confirmation = { resultSha256: sha256(result), reason: 'Listed by the registry.' }
    const confirmed = accepted(await manager.post<Round>(`${path}/confirmation`, confirmation))
    await ended(confirmed.confirmation?.jobId)
    return (await manager.get<Round>(path)).body
  }
}

function accepted({ status, body }: Answer<Round>): Round {
  if (status !== 202) throw new Error(`The step of a round was refused: ${JSON.stringify(body)}`)
  return body
}
