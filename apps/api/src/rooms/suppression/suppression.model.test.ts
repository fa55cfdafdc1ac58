import fc from 'fast-check'
import { test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../test/build-app.ts'
import { addEvidenceTo, createProspect, endProspect } from '../../../test/prospects.ts'
import type { Business } from '../businesses/businesses.ts'
import type { AddedSuppression, Suppression } from './suppression.schema.ts'

/*
 * Random orders of everything that can happen to a few records and entries, against the one sentence that must hold: a record that was do
 * not contact is so until somebody who may removes what holds it. The model knows nothing of keys or triggers: it remembers who was
 * marked, and asks after each step that only a removal took a mark away, and that a value that stands suppressed marks whoever gets it.
 */

const addresses = ['jan@karoo.co.za', 'JAN+x@karoo.co.za', 'piet@mail.karoo.co.za', 'anna@elsewhere.co.za']
const entries = [
  { kind: 'email', value: 'Jan@karoo.co.za' },
  { kind: 'domain', value: 'karoo.co.za', scope: 'with_subdomains' },
  { kind: 'email', value: 'anna@elsewhere.co.za' },
]
const ROLES = ['viewer', 'operator', 'manager'] as const

type Step =
  | { do: 'create'; address: number }
  | { do: 'edit'; record: number; address: number | null }
  | { do: 'evidence'; record: number; address: number }
  | { do: 'suppress'; entry: number }
  | { do: 'block'; record: number }
  | { do: 'merge'; record: number; into: number }
  | { do: 'move'; record: number }
  | { do: 'try to lift'; record: number; role: number }
  | { do: 'remove'; nth: number }
  | { do: 'lift'; record: number }

const nat = (max: number) => fc.nat({ max })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), address: nat(3) }),
  fc.record({ do: fc.constant('edit' as const), record: nat(5), address: fc.option(nat(3)) }),
  fc.record({ do: fc.constant('evidence' as const), record: nat(5), address: nat(3) }),
  fc.record({ do: fc.constant('suppress' as const), entry: nat(2) }),
  fc.record({ do: fc.constant('block' as const), record: nat(5) }),
  fc.record({ do: fc.constant('merge' as const), record: nat(5), into: nat(5) }),
  fc.record({ do: fc.constant('move' as const), record: nat(5) }),
  fc.record({ do: fc.constant('try to lift' as const), record: nat(5), role: nat(2) }),
  fc.record({ do: fc.constant('remove' as const), nth: nat(2) }),
  fc.record({ do: fc.constant('lift' as const), record: nat(5) }),
)

type World = { t: TestApp; operator: TestClient; administrator: TestClient; ids: string[] }

async function businessOf({ operator }: World, id: string): Promise<Business> {
  return (await operator.get<Business>(`/businesses/${id}`)).body
}

async function marked(world: World): Promise<Set<string>> {
  const found = new Set<string>()
  for (const id of world.ids) if ((await businessOf(world, id)).doNotContact !== null) found.add(id)
  return found
}

async function take(world: World, one: Step): Promise<void> {
  const { t, operator, administrator, ids } = world
  const idOf = (index: number) => ids[index % Math.max(ids.length, 1)]
  const id = 'record' in one ? idOf(one.record) : undefined
  if ('record' in one && id === undefined) return
  switch (one.do) {
    case 'create':
      ids.push((await createProspect(operator, { emails: [{ value: addresses[one.address] }] })).id)
      return
    case 'edit': {
      const { version } = await businessOf(world, id ?? '')
      const emails = one.address === null ? [] : [{ value: addresses[one.address] }]
      await operator.patch(`/businesses/${id}`, { emails }, { 'if-match': `"${version}"` })
      return
    }
    case 'evidence':
      if ((await businessOf(world, id ?? '')).status === 'active')
        await addEvidenceTo(operator, id ?? '', { field: 'email', value: addresses[one.address] })
      return
    case 'suppress':
      await operator.post<AddedSuppression>('/suppressions', {
        ...entries[one.entry],
        reason: 'Asked.',
        channel: 'phone',
      })
      return
    case 'block':
      await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'By hand.' })
      return
    case 'merge': {
      const into = idOf(one.into) ?? ''
      const [from, to] = [await businessOf(world, id ?? ''), await businessOf(world, into)]
      if (from.id !== to.id && from.status === 'active' && to.status === 'active')
        await endProspect(t, from.id, { status: 'merged', into: to.id })
      return
    }
    case 'move':
      await operator.post(`/businesses/${id}/pipeline-transitions`, { to: 'contacted' })
      return
    case 'try to lift': {
      const client = await t.as(ROLES[one.role] ?? 'viewer')
      await client.post(`/businesses/${id}/do-not-contact-removal`, { reason: 'I want to.' })
      for (const { id: entryId } of (await operator.get<{ items: Suppression[] }>('/suppressions')).body.items)
        await client.post(`/suppressions/${entryId}/removal`, { reason: 'I want to.' })
      return
    }
    case 'remove': {
      const { items } = (await operator.get<{ items: Suppression[] }>('/suppressions?status=active')).body
      const entry = items[one.nth]
      if (entry !== undefined)
        await administrator.post(`/suppressions/${entry.id}/removal`, { reason: 'They came back.' })
      return
    }
    case 'lift':
      await administrator.post(`/businesses/${id}/do-not-contact-removal`, { reason: 'They came back.' })
  }
}

test('no order of edits, merges, evidence, moves and attempts lifts a suppression; only an authorized removal does', {
  timeout: 120_000,
}, async ({ expect }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const t = await buildTestApp()
      const world = { t, operator: await t.as('operator'), administrator: await t.as('administrator'), ids: [] }
      let before = await marked(world)
      for (const one of steps) {
        await take(world, one)
        const after = await marked(world)
        if (one.do !== 'remove' && one.do !== 'lift')
          expect([one.do, [...before.difference(after)]]).toEqual([one.do, []])
        await everythingSuppressedIsMarked(world, expect)
        before = after
      }
    }),
    { numRuns: 12 },
  )
})

/** The other half: whoever has a value that the gate refuses is marked, and so is whatever it was merged into. */
async function everythingSuppressedIsMarked(world: World, expect: typeof import('vitest').expect): Promise<void> {
  const businesses = await Promise.all(world.ids.map((id) => businessOf(world, id)))
  const byId = new Map(businesses.map((business) => [business.id, business]))
  for (const { emails, doNotContact, mergedInto } of businesses) {
    const survivor = mergedInto === null ? undefined : byId.get(mergedInto)
    for (const { value } of emails) {
      const values = [{ kind: 'email', value }]
      const { body } = await world.operator.post<{ items: { suppressed: boolean }[] }>('/suppressions/checks', {
        values,
      })
      if (body.items[0]?.suppressed !== true) continue
      expect([value, doNotContact !== null]).toEqual([value, true])
      if (survivor !== undefined) expect([value, survivor.doNotContact !== null]).toEqual([value, true])
    }
  }
}
