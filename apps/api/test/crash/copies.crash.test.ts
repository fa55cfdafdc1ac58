import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { verifyTenant } from '../../src/rooms/audit/audit.ts'
import { limits } from '../../src/rooms/drafts/limits.ts'
import { approvedDraft, copyBody, type DraftsWorld, draftsWorld } from '../../src/rooms/drafts/test/drafts-world.ts'
import type { Draft } from '../../src/rooms/drafts/writing/drafts.schema.ts'
import { compiledBefore } from '../run-node.ts'
import type { CopyTask } from './copy-process.ts'

/* Tests processes that copy drafts and are killed or compete: each key makes one record, and no cap is exceeded. */

function start({ t }: DraftsWorld, draft: Draft, keys: string[]) {
  const { id: tenantId, users } = t.tenants.home
  const task: CopyTask = {
    dataDir: t.store.dataDir,
    now: t.clock().toISOString(),
    tenantId,
    userId: users.operator.id,
    draftId: draft.id,
    body: copyBody(draft),
    keys,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'copy-process.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...compiledBefore(), PATH: process.env.PATH, TASK: JSON.stringify(task) },
  })
  const exit = once(child, 'exit')
  let text = ''
  child.stdout?.on('data', (data: Buffer) => {
    text += data.toString()
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return { child, exit, lines: () => text.split('\n').filter((line) => line !== '') }
}

const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`)
const stored = ({ t }: DraftsWorld) => t.store.reader.selectFrom('draft_copies').selectAll().execute()

test('kill -9 during copies leaves each one whole or not at all, and a repeat of the keys makes no second record', {
  timeout: 60_000,
}, async () => {
  const world = await draftsWorld()
  const draft = await approvedDraft(world)
  const killed = start(world, draft, keysOf('killed', 50))
  if (killed.child.stdout !== null) await once(killed.child.stdout, 'data')
  killed.child.kill('SIGKILL')
  await killed.exit
  const after = await stored(world)
  const keys = after.map((row) => row.idempotency_key)
  expect(killed.lines().filter((line) => line !== 'refused' && !keys.includes(line))).toEqual([])
  const { tenants, store } = world.t
  const events = await store.reader.selectFrom('audit_events').select('id').where('action', '=', 'draft.copy').execute()
  expect(events).toHaveLength(after.length)
  expect((await verifyTenant(store, tenants.home.id)).status).not.toBe('broken')
  const again = start(world, draft, keysOf('killed', 50))
  await again.exit
  const rows = await stored(world)
  expect([rows.length, new Set(rows.map((row) => row.idempotency_key)).size]).toEqual([
    limits.copiesToRecipient,
    limits.copiesToRecipient,
  ])
  expect(again.lines().filter((line) => line !== 'refused')).toHaveLength(limits.copiesToRecipient)
})

test('two processes that compete for the last copies make no more than the cap', { timeout: 60_000 }, async () => {
  const world = await draftsWorld()
  const draft = await approvedDraft(world)
  const both = ['a', 'b'].map((name) => start(world, draft, keysOf(name, 10)))
  await Promise.all(both.map(({ exit }) => exit))
  const made = both.flatMap(({ lines }) => lines()).filter((line) => line !== 'refused')
  expect(made).toHaveLength(limits.copiesToRecipient)
  expect((await stored(world)).map((row) => row.idempotency_key).toSorted()).toEqual(made.toSorted())
})
