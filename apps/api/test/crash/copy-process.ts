import { newId } from '../../src/lib/ids.ts'
import { noAdapters } from '../../src/load-adapters.ts'
import type { CopyDraft } from '../../src/rooms/drafts/copies/copies.schema.ts'
import { copyDraft } from '../../src/rooms/drafts/copies/copy-draft.ts'
import { memberActor } from '../../src/rooms/identity/identity.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { change } from '../../src/store/change/change.ts'
import { openStore } from '../../src/store/store.ts'

/* A process that copies one text under many keys, and writes the key of each completed copy. The test kills it before the end. */

export type CopyTask = {
  dataDir: string
  now: string
  tenantId: string
  userId: string
  draftId: string
  body: CopyDraft
  keys: string[]
}

const task = JSON.parse(process.env.TASK ?? '') as CopyTask
const store = openStore({ dataDir: task.dataDir, migrations, clock: () => new Date(task.now) })
const actor = await memberActor(store.reader, task, newId())
if (actor === undefined) throw new Error('The operator is a member.')
for (const key of task.keys) {
  const options = { permission: 'drafts.copy', action: 'draft.copy', idempotency: { key, fingerprint: key } } as const
  try {
    await change(store, actor, options, (tx) =>
      copyDraft(tx, actor, { id: task.draftId, input: task.body, adapters: noAdapters }),
    )
    process.stdout.write(`${key}\n`)
  } catch {
    process.stdout.write('refused\n')
  }
}
await store.close()
