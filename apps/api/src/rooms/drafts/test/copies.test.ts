import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { newId } from '../../../lib/ids.ts'
import { limits } from '../limits.ts'
import {
  addClaim,
  addObservation,
  addProspect,
  approvedDraft,
  approvedPolicy,
  askCopy,
  basisBody,
  draftsWorld,
  furnishWorld,
  outcomeOf,
  readDraft,
  sent,
} from './drafts-world.ts'

/* Copies at the same time: one record per key, and no cap is exceeded (specification, Phase 14 §4). */

test('one key is one copy, however often it is sent at the same time', async () => {
  const world = await draftsWorld()
  const draft = await approvedDraft(world)
  const answers = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(world.operator, draft, 'key')))
  expect(answers.every((one) => one === 201 || one === 'idempotency_in_progress')).toBe(true)
  expect(answers).toContain(201)
  expect(await world.t.store.reader.selectFrom('draft_copies').select('id').execute()).toHaveLength(1)
})

test('people and processes that copy at the same time do not exceed the cap of a recipient', async () => {
  const world = await draftsWorld()
  const { t, manager, operator } = world
  const draft = await approvedDraft(world)
  const { dataDir } = t.store
  const other = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
  const clients = [operator, manager, await other.as('operator'), await other.as('manager')]
  const answers = await Promise.all(clients.flatMap((client) => [1, 2, 3].map(() => outcomeOf(client, draft))))
  expect(answers.filter((one) => one === 201)).toHaveLength(limits.copiesToRecipient)
  expect(answers.filter((one) => one === 'cap_reached')).toHaveLength(answers.length - limits.copiesToRecipient)
})

test('people who copy at the same time do not exceed the caps of one person and of the workspace', async () => {
  const world = await draftsWorld()
  const { manager, operator } = world
  await approvedPolicy(world, { caps: { recipient: 2, person: 1, tenant: 2 } })
  const drafts = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const email = `${name}@pumps-${name}.example`
      const businessId = await addProspect(operator, email)
      await sent(operator.post(`/businesses/${businessId}/legal-bases`, basisBody))
      await addClaim(operator, businessId, 'name', 'Karoo Pumps')
      const citedId = await addObservation(operator, businessId)
      return approvedDraft({ ...world, businessId, citedId }, { recipient: { kind: 'email', value: email } })
    }),
  )
  const answers = await Promise.all(
    [operator, manager, world.administrator].flatMap((client) => drafts.map((draft) => outcomeOf(client, draft))),
  )
  expect(answers.filter((one) => one === 201)).toHaveLength(2)
  expect(answers.filter((one) => one === 'cap_reached')).toHaveLength(7)
  const rows = await world.t.store.reader.selectFrom('draft_copies').select('copied_by').execute()
  expect(new Set(rows.map(({ copied_by: person }) => person)).size).toBe(2)
})

test.each([
  [
    { recipient: 1, person: 50, tenant: 200 },
    [201, 'cap_reached', 'cap_reached'],
    { limit: 'copies_to_recipient', size: 1, max: 1 },
  ],
  [{ recipient: 2, person: 1, tenant: 200 }, [201, 'cap_reached', 201], { limit: 'copies_of_person', size: 1, max: 1 }],
  [
    { recipient: 2, person: 50, tenant: 1 },
    [201, 'cap_reached', 'cap_reached'],
    { limit: 'copies_of_workspace', size: 1, max: 1 },
  ],
])('a policy lowers the caps to %o', async (caps, outcomes, reached) => {
  const world = await draftsWorld()
  const { manager, operator } = world
  await approvedPolicy(world, { caps })
  const draft = await approvedDraft(world)
  const answers = [await outcomeOf(operator, draft), await outcomeOf(operator, draft)]
  expect((await askCopy(operator, draft)).body).toMatchObject(reached)
  expect([...answers, await outcomeOf(manager, draft)]).toEqual(outcomes)
})

test('a copy is refused once all workspaces together reached their cap, without saying how many there are', async () => {
  const world = await draftsWorld()
  const { t, operator } = world
  const draft = await approvedDraft(world)
  const other = await furnishWorld(t, 'other')
  expect(await outcomeOf(other.operator, await approvedDraft(other))).toBe(201)
  await t.store.write('upkeep', async (db) => {
    const [copy] = await db.selectFrom('draft_copies').selectAll().execute()
    if (copy === undefined) throw new Error('There is a copy.')
    // One less than the cap: the next copy is the last.
    for (let n = 1; n < limits.copiesOfAllTenants - 1; n++)
      await db
        .insertInto('draft_copies')
        .values({ ...copy, id: newId(), idempotency_key: newId(), recipient_key: `x:${n}`, copied_by: newId() })
        .execute()
    return { keep: true, value: undefined }
  })
  expect(await outcomeOf(operator, draft)).toBe(201)
  const { body } = await askCopy(operator, draft)
  expect(body).toMatchObject({ code: 'cap_reached' })
  // Neither the caps of the workspace nor those of its people are reached.
  expect((await readDraft(world, draft.id)).caps).toMatchObject({ recipient: { used: 1 }, tenant: { used: 1 } })
  expect(JSON.stringify(body)).not.toContain('2,000')
})

test('a key is good for one copy also after its stored response was deleted', async () => {
  const world = await draftsWorld()
  const { t, operator } = world
  const draft = await approvedDraft(world)
  const first = await askCopy(operator, draft, 'key')
  await t.store.write('upkeep', async (db) => {
    await db.deleteFrom('idempotency_keys').execute()
    return { keep: true, value: undefined }
  })
  const again = await askCopy(operator, draft, 'key')
  expect([again.status, again.body.id]).toEqual([201, first.body.id])
  await t.store.write('upkeep', async (db) => {
    await db.deleteFrom('idempotency_keys').execute()
    return { keep: true, value: undefined }
  })
  expect(await outcomeOf(world.manager, draft, 'key')).toBe('idempotency_key_reused')
})

test('a key belongs to its workspace: another one uses it for another copy', async () => {
  const world = await draftsWorld()
  const other = await furnishWorld(world.t, 'other')
  const [draft, foreign] = [await approvedDraft(world), await approvedDraft(other)]
  expect([await outcomeOf(world.operator, draft, 'key'), await outcomeOf(other.operator, foreign, 'key')]).toEqual([
    201, 201,
  ])
})
