import { pino } from 'pino'
import { noAdapters } from '../src/load-adapters.ts'
import { jobKindsIn, rooms } from '../src/rooms/index.ts'
import type { LoopContext } from '../src/rooms/room.ts'
import { runUpkeep } from '../src/rooms/run-upkeep.ts'
import { backgroundStore, type Store } from '../src/store/store.ts'
import { testConfig } from './build-app.ts'

/** Returns the context that `main.ts` gives to loops and upkeep tasks. */
export function loopContext(store: Store, adapters = noAdapters): LoopContext {
  return {
    store: backgroundStore(store),
    config: testConfig(store.dataDir),
    adapters,
    log: pino({ level: 'silent' }),
    kinds: jobKindsIn(rooms, 'local'),
    rooms,
  }
}

/** Runs each upkeep task of a room once for all tenants. */
export async function upkeepOf(room: string, store: Store, adapters = noAdapters): Promise<void> {
  const tasks = rooms.find(({ name }) => name === room)?.upkeep ?? []
  if (tasks.length === 0) throw new Error(`The room ${room} has no upkeep.`)
  await runUpkeep(loopContext(store, adapters), tasks)
}
