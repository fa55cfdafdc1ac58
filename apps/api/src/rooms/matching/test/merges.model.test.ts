import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { integrityOf } from '../../../../test/integrity.ts'
import { askMerge, askReversal } from '../../../../test/merging.ts'
import { addEvidenceTo, addInteractionTo, addNoteTo, createProspect, moveTo, walk } from '../../../../test/prospects.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { verifyTenant } from '../../audit/audit.ts'
import { type Business, getStoredRecord } from '../../businesses/businesses.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'
import { factsOf } from '../merging/merge-plan.rules.ts'
import { recordGraph } from '../merging/merge-snapshot.ts'
import type { Merge, MergeSummary } from '../merging/merges.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

/* Random records and random orders of steps. After every step the invariants of a merge are checked. */

const values = fc.record(
  {
    industry: fc.constantFrom(null, 'Farming', 'Irrigation'),
    tradingName: fc.constantFrom(null, 'KP', 'Karoo'),
    tags: fc.uniqueArray(fc.constantFrom('Wind', 'Sea', 'Farm'), { maxLength: 3 }),
    phones: fc.array(fc.constantFrom({ value: '041 555 0101', region: 'ZA' }, { value: '+27 41 555 0102' }), {
      maxLength: 2,
    }),
    address: fc.record(
      { street: fc.constantFrom(null, '12 Main Road', 'Hoofweg 12'), city: fc.constantFrom(null, 'Gqeberha') },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)
const child = fc.constantFrom(
  'evidence',
  'source',
  'note',
  'sensitive note',
  'interaction',
  'move',
  'pause',
  'block',
  'suppress',
  'nothing',
)
const start = fc.record({ body: values, children: fc.array(child, { maxLength: 4 }) })
const which = fc.nat(9)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('merge' as const), which, survivor: fc.boolean(), other: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), which, child }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), which, body: values }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lift' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reject' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), which }) },
)

const same = { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] }
/** Ends every block of a record: the manual one and all suppression entries. */
async function lift(client: TestClient, id: string): Promise<void> {
  const reason = 'They asked to hear from us.'
  await client.post(`/businesses/${id}/do-not-contact-removal`, { reason })
  const { items } = (await client.get<{ items: { id: string }[] }>('/suppressions?status=active')).body
  for (const entry of items) await client.post(`/suppressions/${entry.id}/removal`, { reason })
}

const states = ['contacted', 'qualified', 'proposal', 'negotiation', 'won']

async function add(client: TestClient, id: string, what: string): Promise<void> {
  if (what === 'evidence') await addEvidenceTo(client, id, { field: 'industry', value: 'Farming' })
  if (what === 'source') await addEvidenceTo(client, id, { sourceReference: 'https://example.org/pumps' })
  if (what === 'note') await addNoteTo(client, id)
  if (what === 'sensitive note') await addNoteTo(client, id, { sensitive: true })
  if (what === 'interaction') await addInteractionTo(client, id)
  if (what === 'block') await client.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  if (what === 'suppress') {
    const entry = { kind: 'phone', value: '041 555 0101', region: 'ZA', reason: 'They asked.', channel: 'phone' }
    expect((await client.post('/suppressions', entry)).status).toBeLessThan(300)
  }
  if (what === 'pause') await moveTo(client, id, 'paused', 'They are moving.').catch(() => undefined)
  if (what !== 'move') return
  const { pipelineState } = (await client.get<Business>(`/businesses/${id}`)).body
  await moveTo(client, id, states[states.indexOf(pipelineState) + 1] ?? 'lost').catch(() => undefined)
}

async function createAll(t: TestApp, client: TestClient, starts: readonly { body: object; children: string[] }[]) {
  const ids: string[] = []
  for (const { body, children } of starts) {
    const { id } = await createProspect(client, { ...same, ...body })
    for (const one of children) await add(client, id, one)
    ids.push(id)
  }
  await followChanges(t.store)
  return ids
}

/** Returns a record with its children in canonical form, without the parts that only grow: version, time, audit, blocks and transitions of merges. */
async function graphOf(t: TestApp, id: string): Promise<string> {
  const { children, sources, ...record } = await recordGraph(t.store.reader, t.tenants.home.id, id)
  const { transitions: _transitions, ...others } = children
  const { business, identifiers } = record
  const { status, merged_into: mergedInto } = business
  return fingerprint({ facts: factsOf(record), status, mergedInto, identifiers, children: others, sources })
}

/** Returns the rows that may be added to but never changed or deleted. */
async function kept(t: TestApp) {
  const rows = async (table: string) => {
    const { rows: found } = await sql<{ row: string }>`SELECT id AS row FROM ${sql.table(table)} ORDER BY 1`.execute(
      t.store.reader,
    )
    return new Set(found.map(({ row }) => row))
  }
  const { rows: blocked } = await sql<{
    row: string
  }>`SELECT id AS row FROM businesses WHERE do_not_contact = 1`.execute(t.store.reader)
  return {
    evidence: await rows('evidence'),
    notes: await rows('notes'),
    interactions: await rows('interactions'),
    transitions: await rows('pipeline_transitions'),
    audit: await rows('audit_events'),
    blocked: new Set(blocked.map(({ row }) => row)),
  }
}

type Kept = Awaited<ReturnType<typeof kept>>

function expectGrown(before: Kept, after: Kept): void {
  for (const name of Object.keys(before) as (keyof Kept)[])
    expect([name, before[name].isSubsetOf(after[name])]).toEqual([name, true])
}

const lists = {
  evidence: 'evidence',
  notes: 'notes',
  interactions: 'interactions',
  pipeline_transitions: 'pipeline-transitions',
} as const

/** Requires that rows of the list show the number of observations of each record, and its first phone as the record does. */
async function expectListed(client: TestClient): Promise<void> {
  for (const row of await walk<BusinessSummary>(client, '/businesses', 200)) {
    const [phone] = (await client.get<Business>(`/businesses/${row.id}`)).body.phones
    const evidence = await walk(client, `/businesses/${row.id}/evidence`, 200)
    const { evidenceCount, hasEvidence, primaryPhone, primaryPhoneNormalized } = row
    expect({ evidenceCount, hasEvidence, primaryPhone, primaryPhoneNormalized }).toEqual({
      evidenceCount: evidence.length,
      hasEvidence: evidence.length > 0,
      primaryPhone: phone?.value ?? null,
      primaryPhoneNormalized: phone?.normalized ?? null,
    })
  }
}

/** Requires that children of any record are shown on its survivor, complete and without duplicates, and that merged records have no suggestions. */
async function expectAllSeen(t: TestApp, client: TestClient): Promise<void> {
  const db = t.store.reader
  const records = await db.selectFrom('businesses').select(['id', 'status', 'merged_into']).execute()
  const into = new Map(records.map((one) => [one.id, one.merged_into]))
  const rootOf = (id: string): string => {
    const survivor = into.get(id) ?? null
    return survivor === null ? id : rootOf(survivor)
  }
  const active = new Set(records.filter(({ status }) => status === 'active').map(({ id }) => id))
  for (const table of Object.keys(lists) as (keyof typeof lists)[]) {
    const rows = await db.selectFrom(table).select(['id', 'business_id']).execute()
    for (const id of active) {
      const seen = await walk<{ id: string }>(client, `/businesses/${id}/${lists[table]}`, 200)
      const expected = rows.filter((row) => rootOf(row.business_id) === id)
      expect([table, seen.map((one) => one.id).toSorted()]).toEqual([table, expected.map((one) => one.id).toSorted()])
    }
  }
  const suggestions = await db.selectFrom('match_suggestions').selectAll().execute()
  const open = suggestions.filter(({ status }) => status === 'open')
  for (const { business_a: a, business_b: b } of open) expect([active.has(a), active.has(b)]).toEqual([true, true])
  const counted = await db.selectFrom('match_suggestion_counts').select(['status', 'count']).execute()
  for (const status of ['open', 'rejected', 'merged', 'superseded'] as const) {
    const count = counted.filter((one) => one.status === status).reduce((sum, one) => sum + one.count, 0)
    expect([status, count]).toEqual([status, suggestions.filter((one) => one.status === status).length])
  }
}

async function decide(client: TestClient, suggestion: SuggestionSummary, survivor: number, other: boolean) {
  const [a, b] = suggestion.businesses
  const { body } = await client.get<Suggestion>(`/match-suggestions/${suggestion.id}`)
  const chosen = (other ? b : a)?.id
  return askMerge(client, body, suggestion.businesses[survivor]?.id ?? '', {
    fields: { pipelineState: chosen, industry: chosen, 'address.street': chosen },
  })
}

test('a merge and its reversal restore the identical graph for any content', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(start, start, fc.boolean(), fc.boolean(), async (one, two, survivor, other) => {
      const t = await buildTestApp()
      const client = await t.as('manager')
      const [a = '', b = ''] = await createAll(t, client, [one, two])
      const before = { a: await graphOf(t, a), b: await graphOf(t, b), kept: await kept(t) }
      const [suggestion] = (await client.get<{ items: SuggestionSummary[] }>('/match-suggestions')).body.items
      if (suggestion === undefined) throw new Error('Two records of one name and mailbox are suggested.')
      const merge = await decide(client, suggestion, survivor ? 0 : 1, other)
      expect([merge.status, merge.body]).toEqual([200, expect.objectContaining({ status: 'merged' })])
      expectGrown(before.kept, await kept(t))
      expect((await askReversal(client, merge.body.id)).status).toBe(200)
      expect([await graphOf(t, a), await graphOf(t, b)]).toEqual([before.a, before.b])
      expectGrown(before.kept, await kept(t))
      expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
    }),
    { numRuns: 12 },
  )
})

test('merges, edits, additions, lifts, erasures and reversals in any order lose nothing, lift no block but copies, and form no cycle', {
  timeout: 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(start, { minLength: 3, maxLength: 4 }),
      fc.array(step, { minLength: 4, maxLength: 12 }),
      async (starts, steps) => {
        const t = await buildTestApp()
        const client = await t.as('administrator')
        const ids = await createAll(t, client, starts)
        /** the loser of each merge by the merge's id */
        const losers = new Map<string, string>()
        let before = await kept(t)
        for (const one of steps) {
          const id = ids[one.which % ids.length] ?? ''
          /** the survivor whose block the reversal announces to end, because the merge had copied it */
          let freed: string | undefined
          if (one.do === 'add') await add(client, id, one.child).catch(() => undefined)
          if (one.do === 'edit') {
            const { version } = (await client.get<Business>(`/businesses/${id}`)).body
            await client.patch(`/businesses/${id}`, one.body, { 'if-match': `"${version}"` })
          }
          if (one.do === 'merge') {
            await followChanges(t.store)
            const { items } = (await client.get<{ items: SuggestionSummary[] }>('/match-suggestions')).body
            const suggestion = items[one.which % Math.max(items.length, 1)]
            if (suggestion === undefined) continue
            const loser = suggestion.businesses[one.survivor ? 1 : 0]?.id ?? ''
            const graph = await graphOf(t, loser)
            const { status, body } = await decide(client, suggestion, one.survivor ? 0 : 1, one.other)
            expect([status, body]).toEqual([200, expect.anything()])
            losers.set(body.id, graph)
          }
          if (one.do === 'reverse') {
            const { items } = (await client.get<{ items: MergeSummary[] }>('/merges?status=merged')).body
            const merge = items[one.which % Math.max(items.length, 1)]
            if (merge === undefined) continue
            const told = (await client.get<Merge>(`/merges/${merge.id}`)).body.reversible
            const { status, body } = await askReversal(client, merge.id)
            expect([status, told?.possible]).toEqual(told?.possible === true ? [200, true] : [409, false])
            if (status === 200) {
              expect(body.reversal?.outcome).toEqual(told?.outcome)
              if (told?.outcome?.doNotContact.includes(merge.survivor.id) === false) freed = merge.survivor.id
              expect(await graphOf(t, merge.loser.id)).toBe(losers.get(merge.id))
            }
          }
          if (one.do === 'lift') await lift(client, id)
          if (one.do === 'erase') await client.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })
          for (const merge of (await client.get<{ items: MergeSummary[] }>('/merges')).body.items)
            expect((await client.get(`/merges/${merge.id}`)).status).toBe(200)
          if (one.do === 'reject') {
            await followChanges(t.store)
            const { items } = (await client.get<{ items: SuggestionSummary[] }>('/match-suggestions')).body
            const suggestion = items[one.which % Math.max(items.length, 1)]
            if (suggestion === undefined) continue
            const path = `/match-suggestions/${suggestion.id}/rejection`
            expect((await client.post(path, { reason: 'Two shops.' })).status).toBe(200)
          }
          await expectAllSeen(t, client)
          await expectListed(client)
          const after = await kept(t)
          const blocked =
            one.do === 'lift' ? new Set<string>() : new Set([...before.blocked].filter((one) => one !== freed))
          expectGrown({ ...before, blocked }, after)
          before = after
        }
        for (const id of ids) {
          const seen = new Set<string>()
          for (
            let at: string | null = id;
            at !== null;
            at = (await getStoredRecord(t.store.reader, t.tenants.home.id, at)).business.merged_into
          ) {
            expect(seen.has(at)).toBe(false)
            seen.add(at)
          }
        }
        expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
        expect(await integrityOf(t.store.dataDir, t.tenants.home.id)).toMatchObject({ first: null })
      },
    ),
    { numRuns: 10 },
  )
})
