import { fixtureAdapter } from '@prospect/adapter-contract/test-kit/fixture-adapter'
import { newId } from '../../src/lib/ids.ts'
import { memberActor } from '../../src/rooms/identity/identity.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { askSource } from '../../src/rooms/sources/asking/ask-source.ts'
import { businessRecords } from '../../src/rooms/sources/purposes.ts'
import { openStore } from '../../src/store/store.ts'
import { adaptersOf, queryOf } from '../source-world.ts'

/*
 * A process that sends several concurrent queries to a source. Each request writes "sent" and receives a response, or none if the test kills the
 * process first.
 */

export type SourceTask = {
  dataDir: string
  now: string
  tenantId: string
  userId: string
  sourceId: string
  businessId: string
  queryId?: string
  times: number
  isAnswered: boolean
}

const task = JSON.parse(process.env.TASK ?? '') as SourceTask
const store = openStore({ dataDir: task.dataDir, migrations, clock: () => new Date(task.now) })
const actor = await memberActor(store.reader, task, newId())
if (actor === undefined) throw new Error('The manager is a member.')
const fixture = fixtureAdapter({
  script: () => {
    process.stdout.write('sent\n')
    const nothing = { outcome: 'answered', records: [], isComplete: true, next: null, trace: null, bytesReceived: 0 }
    return task.isAnswered ? nothing : new Promise(() => {})
  },
})
const ask = () =>
  askSource(
    { store, adapters: adaptersOf(fixture), actor },
    {
      sourceId: task.sourceId,
      purpose: businessRecords,
      query: queryOf(task.businessId),
      businessId: task.businessId,
      ...(task.queryId === undefined ? {} : { queryId: task.queryId }),
    },
  )
const alive = setInterval(() => {}, 1_000)
await Promise.all(Array.from({ length: task.times }, ask))
clearInterval(alive)
await store.close()
