import { matchRun } from '../src/rooms/matching/matching.jobs.ts'
import type { SuggestionSummary } from '../src/rooms/matching/matching.schema.ts'
import type { TestApp } from './build-app.ts'
import { jobWorld } from './job-world.ts'
import { walk } from './prospects.ts'

/** Body of a prospect. Two records with it are a pair of the strong band. */
export const karoo = { name: 'Karoo Windpumps', phones: [{ value: '041 555 0101', region: 'ZA' }] }

/** Creates a tenant with a worker that runs matching jobs. */
export async function matchWorld() {
  const world = await jobWorld([matchRun])
  world.work()
  const manager = await world.t.as('manager')
  const run = async () => world.ended((await world.create({}, manager)).id)
  const open = () => walk<SuggestionSummary>(manager, '/match-suggestions')
  return { ...world, manager, run, open }
}

/** Deletes all stored blocking keys, as a new version of the rules does. */
export async function forgetAll({ store }: TestApp): Promise<void> {
  await store.write('upkeep', async (db) => {
    for (const table of ['match_keys', 'match_records'] as const) await db.deleteFrom(table).execute()
    return { keep: true, value: undefined }
  })
}
