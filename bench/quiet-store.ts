import { join } from 'node:path'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { STORE_FILE, type Store } from '../apps/api/src/store/store.ts'
import { processorSecondsOf } from './processes.ts'
import { untilQuiet } from './quiet.ts'

/** Resolves when the API process of a store has been quiet for some seconds. */
export function untilApiIsQuiet(pid: number, dataDir: string): Promise<void> {
  return untilQuiet({ processorSeconds: () => processorSecondsOf(pid), openJobs: () => openJobsIn(dataDir) })
}

/** Resolves when a store in this process has been quiet for some seconds. */
export function untilStoreIsQuiet(store: Pick<Store, 'reader'>): Promise<void> {
  return untilQuiet({
    processorSeconds: () => processorSecondsOf(process.pid),
    openJobs: async () => {
      const jobs = await store.reader.selectFrom('jobs').select('kind').where('ended_at', 'is', null).execute()
      return jobs.map(({ kind }) => kind)
    },
  })
}

/** Returns the kinds of the jobs in a store that have not ended. */
function openJobsIn(dataDir: string): string[] {
  const db = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  try {
    return db.prepare<[], string>('SELECT kind FROM jobs WHERE ended_at IS NULL').pluck().all()
  } finally {
    db.close()
  }
}
