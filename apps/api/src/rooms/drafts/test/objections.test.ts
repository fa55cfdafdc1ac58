import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import { askMerge, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { happened, type ListPage } from '../../../../test/prospects.ts'
import { registryKinds, roundsIn } from '../../../../test/registry-rounds.ts'
import { newId } from '../../../lib/ids.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import { blockAllAgain, insertTombstones, markInStep, markMatched } from '../../businesses/businesses.ts'
import { gate } from '../../contact-gate/contact-gate.ts'
import { systemActor } from '../../identity/identity.ts'
import type { LegalBasis } from '../legal-bases/legal-bases.schema.ts'
import {
  addProspect,
  approvedDraft,
  basisBody,
  type DraftsWorld,
  draftsWorld,
  EMAIL,
  outcomeOf,
  readDraft,
  resultOf,
  sent,
  writeDraft,
} from './drafts-world.ts'

/* Objections end legal bases (specification, Phase 12 §4 and §5): by every path that marks a prospect, in the change of the mark. */

const source = join(import.meta.dirname, '../../..')
const asked = { reason: 'They said never again.', channel: 'phone', requestedBy: 'Thandi' }
const OTHER = 'other@karoo-pumps.co.za'

async function basesOf({ operator }: Pick<DraftsWorld, 'operator'>, businessId: string): Promise<LegalBasis[]> {
  return (await sent(operator.get<ListPage<LegalBasis>>(`/businesses/${businessId}/legal-bases`))).items
}

async function suppress({ operator }: DraftsWorld, value: string, more: object = {}): Promise<string> {
  const body = { kind: 'email', value, ...asked, ...more }
  return (await sent(operator.post<{ suppression: { id: string } }>('/suppressions', body))).suppression.id
}

const inChange = ({ t }: DraftsWorld, work: (tx: Tx) => Promise<unknown>) =>
  change(
    t.store,
    systemActor('command line', t.tenants.home.id),
    { permission: null, action: 'business.block' },
    async (tx) => {
      await work(tx)
      await tx.record({ subject: { type: 'tenant', id: t.tenants.home.id } })
    },
  )

const marks = (world: DraftsWorld, mark: typeof markMatched | typeof markInStep) =>
  inChange(world, async (tx) => {
    const matches = await gate(tx, world.t.tenants.home.id, [{ kind: 'email', value: OTHER }])
    expect(matches).toHaveLength(1)
    await mark(tx, world.businessId, matches)
  })

type Path = { does: (world: DraftsWorld) => Promise<unknown> } | { isNone: string }

/** Every file that marks prospects as do not contact, with the act of a person that reaches it. */
const paths: Record<string, Path> = {
  'rooms/suppression/entries/block-with-values.ts': {
    does: ({ operator, businessId }) =>
      sent(
        operator.post(`/businesses/${businessId}/do-not-contact`, {
          ...asked,
          alsoSuppress: [{ kind: 'email', value: EMAIL }],
        }),
      ),
  },
  'rooms/suppression/suppression.routes.ts': {
    does: ({ operator, businessId }) =>
      sent(operator.post(`/businesses/${businessId}/do-not-contact`, { reason: asked.reason })),
  },
  'rooms/interactions/record-opt-out.ts': {
    does: ({ operator, businessId }) => {
      const { outcome: _, ...contact } = happened
      return sent(operator.post(`/businesses/${businessId}/opt-outs`, { ...contact, reason: asked.reason }))
    },
  },
  'rooms/suppression/entries/add-entry.ts': { does: (world) => suppress(world, EMAIL) },
  'rooms/suppression/entries/batch-entries.ts': {
    does: ({ operator }) =>
      sent(operator.post('/suppressions/batches', { lines: ['+27 82 555 0199'], region: 'ZA', ...asked })),
  },
  'rooms/registry/add-hits.ts': {
    does: async ({ t }) => expect((await roundsIn(t)([EMAIL])).state).toBe('closed'),
  },
  'rooms/businesses/record/edit-business.ts': {
    does: async (world) => {
      await suppress(world, OTHER)
      const path = `/businesses/${world.businessId}`
      const { version } = await sent(world.operator.get<{ version: number }>(path))
      const emails = [{ value: EMAIL }, { value: OTHER }]
      await sent(world.operator.patch(path, { emails }, { 'if-match': `"${version}"` }))
    },
  },
  'rooms/evidence/evidence.ts': {
    does: async (world) => {
      await suppress(world, OTHER)
      const seen = { sourceLabel: 'A visit', capturedAt: '2026-11-20T09:00:00Z', confidence: 'high' }
      const body = { field: 'email', value: OTHER, ...seen }
      await sent(world.operator.post(`/businesses/${world.businessId}/evidence`, body))
    },
  },
  'rooms/people/person-values.ts': {
    does: async (world) => {
      await suppress(world, OTHER)
      const person = { name: 'Thandi Nkosi', emails: [{ value: OTHER }] }
      await sent(world.operator.post(`/businesses/${world.businessId}/people`, person))
    },
  },
  'rooms/people/erase-person.ts': {
    does: async ({ t, operator, businessId }) => {
      const person = { name: 'Thandi Nkosi', emails: [{ value: EMAIL }] }
      const { id } = await sent(operator.post<{ id: string }>(`/businesses/${businessId}/people`, person))
      const administrator = await freshClient(t, 'administrator')
      await sent(administrator.post(`/people/${id}/erasure`, { reason: asked.reason, suppress: true }))
    },
  },
  'rooms/domains/candidates/candidates.ts': {
    does: async (world) => {
      await suppress(world, OTHER)
      await marks(world, markMatched)
    },
  },
  'rooms/businesses/record/renormalize.ts': {
    does: async (world) => {
      await suppress(world, OTHER)
      await marks(world, markInStep)
    },
  },
  'rooms/suppression/reevaluation/reevaluate.ts': {
    does: async (world) => {
      await suppress(world, OTHER)
      await marks(world, markInStep)
    },
  },
  'rooms/erasure/erasure.ts': {
    does: (world) => inChange(world, (tx) => insertTombstones(tx, world.businessId, [{ kind: 'email', value: EMAIL }])),
  },
  'rooms/backup/carry-do-not-contact.ts': {
    does: (world) =>
      inChange(world, (tx) =>
        blockAllAgain(tx, [{ id: world.businessId, byHand: 'In the replaced store.', family: [world.businessId] }]),
      ),
  },
  'rooms/suppression/entries/carry-entries.ts': { isNone: 'adds each entry as add-entry.ts does, with markByEntry' },
  'rooms/businesses/record/create-business.ts': { isNone: 'a new prospect has no legal basis' },
  'rooms/sample-data/fill-with-sample-data.ts': { isNone: 'its prospects have no legal basis' },
  'rooms/matching/merging/merge-businesses.ts': { isNone: 'a test of its own below' },
  'rooms/matching/merging/reverse-merge.ts': { isNone: 'a test of its own below' },
}

test('the paths are all files that mark prospects', () => {
  const call =
    /\b(?:blockBusiness|blockWithValues|markMatched|markByEntry|markInStep|markNew|carryToSurvivor|carryBlock|blockAllAgain|addOrConfirmEntry|insertTombstones)\(/
  const files = globSync('rooms/**/*.ts', { cwd: source }).filter(
    (file) => !/\.test\.ts$|\.fixture\.ts$|^rooms\/businesses\/blocks\//.test(file),
  )
  const marking = files.filter((file) => call.test(readFileSync(join(source, file), 'utf8')))
  expect(marking.toSorted()).toEqual(Object.keys(paths).toSorted())
})

const reached = Object.entries(paths).flatMap(([file, path]) => ('does' in path ? [{ file, does: path.does }] : []))

test.each(reached)('$file ends the legal basis in the change of the mark', async ({ does }) => {
  const world = await draftsWorld({ kinds: registryKinds })
  const { operator, businessId } = world
  const draft = await approvedDraft(world)
  expect(await basesOf(world, businessId)).toMatchObject([{ objectedAt: null }])
  await does(world)
  const [basis] = await basesOf(world, businessId)
  expect(basis).toMatchObject({ objectedAt: world.t.clock().toISOString(), withdrawal: null })
  const { checks } = await readDraft(world, draft.id)
  expect(checks.find(({ key }) => key === 'legal_basis')).toMatchObject({
    result: 'fail',
    message: 'The legal basis ended on 2026-11-21, because the prospect was marked do not contact.',
  })
  expect(await outcomeOf(operator, draft)).not.toBe(201)
  const refused = await operator.post(`/businesses/${businessId}/legal-bases`, basisBody)
  expect(refused).toMatchObject({ status: 422, body: { code: 'suppressed' } })
})

test('the end of the mark does not bring a legal basis back, and a later basis counts, also with a clock that was set back', async () => {
  let world = await draftsWorld()
  const { t, businessId } = world
  const path = `/businesses/${businessId}`
  for (const mark of ['hand', 'entry'] as const) {
    const entry = mark === 'entry' ? await suppress(world, EMAIL) : undefined
    const { administrator } = world
    if (entry === undefined) await sent(world.operator.post(`${path}/do-not-contact`, { reason: asked.reason }))
    const lifted = entry === undefined ? `${path}/do-not-contact-removal` : `/suppressions/${entry}/removal`
    await sent(administrator.post(lifted, { reason: 'They came back.' }))
    expect(resultOf(await writeDraft(world), 'legal_basis')).toBe('fail')
    t.clock.advance(-60_000)
    // A session from after the present time is refused.
    const [operator, next] = [await freshClient(t, 'operator'), await freshClient(t, 'administrator')]
    world = { ...world, operator, administrator: next }
    await sent(operator.post(`${path}/legal-bases`, basisBody))
    expect(resultOf(await writeDraft(world), 'legal_basis')).toBe('pass')
  }
  expect((await basesOf(world, businessId)).map(({ objectedAt }) => objectedAt !== null)).toEqual([false, true, true])
})

test('a person marked by hand ends the bases that name a value of this person, in every spelling, and no other one', async () => {
  const world = await draftsWorld()
  const { operator, businessId, t } = world
  const recipient = { kind: 'email', value: EMAIL }
  await sent(operator.post(`/businesses/${businessId}/legal-bases`, { ...basisBody, recipient }))
  const person = { name: 'Thandi Nkosi', emails: [{ value: EMAIL.toUpperCase() }] }
  const { id } = await sent(operator.post<{ id: string }>(`/businesses/${businessId}/people`, person))
  const ended = async () =>
    (await basesOf(world, businessId)).map(({ recipient: of, objectedAt }) => [of?.value ?? null, objectedAt])
  expect((await ended()).map(([, at]) => at)).toEqual([null, null])
  t.clock.advance(60_000)
  await sent(operator.post(`/people/${id}/do-not-contact`, { reason: asked.reason }))
  expect(await ended()).toEqual([
    [EMAIL, t.clock().toISOString()],
    [null, null],
  ])
  const refused = await operator.post(`/businesses/${businessId}/legal-bases`, { ...basisBody, recipient })
  expect(refused).toMatchObject({ status: 422, body: { code: 'suppressed' } })
})

test('an objection that is repeated with its key changes nothing', async () => {
  const world = await draftsWorld()
  const { t, operator, businessId } = world
  const key = { 'idempotency-key': newId() }
  const object = () => operator.post(`/businesses/${businessId}/do-not-contact`, { reason: asked.reason }, key)
  await sent(object())
  const before = await basesOf(world, businessId)
  expect(await t.changes(async () => void (await sent(object())))).toEqual({})
  expect(await basesOf(world, businessId)).toEqual(before)
})

test('an objection of another prospect ends nothing', async () => {
  const world = await draftsWorld()
  const other = await addProspect(world.operator, 'info@other.example')
  await sent(world.operator.post(`/businesses/${other}/do-not-contact`, { reason: asked.reason }))
  expect(await basesOf(world, world.businessId)).toMatchObject([{ objectedAt: null }])
})

test('a merge takes the objection of the merged record with it, and the reversal returns the legal basis', async () => {
  const world = await draftsWorld()
  const { t, manager, operator } = world
  const { a, b } = await suggestedPair(t, manager, 'Overberg Wells')
  await sent(operator.post(`/businesses/${a}/legal-bases`, basisBody))
  await sent(operator.post(`/businesses/${b}/do-not-contact`, { reason: asked.reason }))
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect((await basesOf(world, a)).map(({ objectedAt }) => objectedAt !== null)).toEqual([true])
  await sent(manager.post(`/merges/${id}/reversal`, { reason: 'Two companies.' }, { 'idempotency-key': 'r' }))
  expect(await basesOf(world, a)).toMatchObject([{ objectedAt: null }])
  const draft = { businessId: a, recipient: { kind: 'email', value: 'desk@overbergwells.co.za' } }
  const plain = { text: 'Good day. {{sender.name}} {{sender.optOut}}', citations: [], noCitationReason: 'A greeting.' }
  expect(resultOf(await writeDraft(world, { ...draft, ...plain }), 'legal_basis')).toBe('pass')
})

test('an objection to a survivor ends the bases of merged records, also after the reversal that blocks both', async () => {
  const world = await draftsWorld()
  const { t, manager, operator } = world
  const { a, b } = await suggestedPair(t, manager, 'Overberg Wells')
  await sent(operator.post(`/businesses/${b}/legal-bases`, basisBody))
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect((await basesOf(world, a)).map(({ businessId, objectedAt }) => [businessId, objectedAt])).toEqual([[b, null]])
  await sent(operator.post(`/businesses/${a}/do-not-contact`, { reason: asked.reason }))
  for (const of of [a, b])
    expect((await basesOf(world, of)).map(({ objectedAt }) => objectedAt !== null)).toEqual([true])
  await sent(manager.post(`/merges/${id}/reversal`, { reason: 'Two companies.' }, { 'idempotency-key': 'r' }))
  expect(await basesOf(world, a)).toEqual([])
  expect((await basesOf(world, b)).map(({ objectedAt }) => objectedAt !== null)).toEqual([true])
})

test('a merge into a prospect that was blocked before ends the basis of the merged record, also after the lift', async () => {
  for (const lifts of [true, false]) {
    const world = await draftsWorld()
    const { t, administrator, manager, operator } = world
    const { a, b } = await suggestedPair(t, manager, 'Overberg Wells')
    await sent(operator.post(`/businesses/${a}/do-not-contact`, { reason: asked.reason }))
    await sent(operator.post(`/businesses/${b}/legal-bases`, basisBody))
    const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
    const isEnded = async (of: string) => (await basesOf(world, of)).map(({ objectedAt }) => objectedAt !== null)
    expect(await isEnded(a)).toEqual([true])
    if (lifts) {
      await sent(administrator.post(`/businesses/${a}/do-not-contact-removal`, { reason: 'They came back.' }))
      expect(await isEnded(a)).toEqual([true])
    }
    await sent(manager.post(`/merges/${id}/reversal`, { reason: 'Two companies.' }, { 'idempotency-key': 'r' }))
    expect(await isEnded(b)).toEqual([false])
  }
})
