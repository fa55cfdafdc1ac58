import { matchRun } from '../src/rooms/matching/matching.jobs.ts'
import type { SuggestionSummary } from '../src/rooms/matching/matching.schema.ts'
import type { TestApp } from './build-app.ts'
import { jobWorld } from './job-world.ts'
import { walk } from './prospects.ts'

/** Two records with this value are a strong pair. */
export const karoo = { name: 'Karoo Windpumps', phones: [{ value: '041 555 0101', region: 'ZA' }] }

/** A tenant with a worker that runs matching jobs. */
export async function matchWorld() {
  const world = await jobWorld([matchRun])
  world.work()
  const manager = await world.t.as('manager')
  const run = async () => world.ended((await world.create({}, manager)).id)
  const open = () => walk<SuggestionSummary>(manager, '/match-suggestions')
  return { ...world, manager, run, open }
}

/** Deletes all stored keys, as after new rules. */
export async function forgetAll({ store }: TestApp): Promise<void> {
  await store.write('upkeep', async (db) => {
    for (const table of ['match_keys', 'match_records'] as const) await db.deleteFrom(table).execute()
    return { keep: true, value: undefined }
  })
}
