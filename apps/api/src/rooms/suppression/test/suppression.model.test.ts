import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { integrityOf } from '../../../../test/integrity.ts'
import { type JobWorld, jobWorld } from '../../../../test/job-world.ts'
import { askMerge, askReversal, suggestionOfPair } from '../../../../test/merging.ts'
import { addEvidenceTo, createProspect } from '../../../../test/prospects.ts'
import { FIRST_STEPS, GIVEN_BACK, ONES, STORY, type Step, step } from '../../../../test/suppression-steps.ts'
import { newId } from '../../../lib/ids.ts'
import type { Business } from '../../businesses/businesses.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import type { Export } from '../../exports/exports.schema.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import type { AddedSuppression, Suppression } from '../suppression.schema.ts'
import { markEvaluatedWhenEmpty } from '../suppression.ts'

/*
 * Tests random orders of all operations on a few records, addresses, entries and files against a model. Invariants: a record that is do not contact
 * stays so until an authorized removal of its block; a suppressed address is suppressed wherever it appears again, whatever happened to its record;
 * no file contains it. The model has no keys and no triggers. It stores the marked records and refused addresses, and checks after each step that
 * only a removal has ended a mark.
 */

/** Addresses. The first two are spellings of the same mailbox, so an entry for one applies to the other. */
const addresses = ['jan@karoo.co.za', 'JAN+x@karoo.co.za', 'piet@mail.karoo.co.za', 'anna@elsewhere.co.za']
const entries = [
  { kind: 'email', value: 'Jan@karoo.co.za' },
  { kind: 'domain', value: 'karoo.co.za', scope: 'with_subdomains' },
  { kind: 'email', value: 'anna@elsewhere.co.za' },
]
/** Values that make any two records a possible duplicate. They contain no address, because a tombstone of one record would then match the other. */
const alike = {
  name: 'Karoo Windpumps',
  registrationNumber: '2011/123456/07',
  address: { street: '1 Kerk St', city: 'Prieska' },
}
const ROLES = ['viewer', 'operator', 'manager'] as const
const RUNS = 6
/** Time limit for shrinking a failure. It is shorter than the test's timeout, so that the test reports its finding. */
const SHRINKS_FOR_MS = 90_000
const STEP_MS = 1_000

/** A merge. `isHeld`: a reversal must not end the block of its survivor, which was blocked before the merge or by hand since. */
type Merged = { id: string; survivorId: string; isHeld: boolean }

type World = Pick<JobWorld, 't' | 'operator' | 'ended'> & {
  administrator: TestClient
  ids: string[]
  merges: Merged[]
  /** survivors that the present step may free, because only the reversed merge had blocked them */
  freed: Set<string>
  exports: string[]
  /** addresses of active records */
  active: string[]
  /** addresses in the evidence of each record */
  claims: Map<string, string[]>
  /** kinds of steps that had an effect at least once, to check that none is without effect in all runs */
  done: Set<Step['do']>
}

async function businessOf({ operator }: World, id: string): Promise<Business> {
  return (await operator.get<Business>(`/businesses/${id}`)).body
}

/** Takes a step and returns whether it had an effect. An invalid step is refused by the product and has none. */
async function take(world: World, one: Step): Promise<boolean> {
  const { t, operator, administrator, ids, merges, exports } = world
  const idOf = (index: number) => {
    const among = index === ONES || world.active.length === 0 ? ids : world.active
    return among[index % among.length] ?? ''
  }
  const id = 'record' in one ? idOf(one.record) : ''
  switch (one.do) {
    case 'create':
      ids.push((await createProspect(operator, { ...alike, emails: [{ value: addresses[one.address] }] })).id)
      return true
    case 'edit': {
      const { version } = await businessOf(world, id)
      const emails = one.address === null ? [] : [{ value: addresses[one.address] }]
      return (await operator.patch(`/businesses/${id}`, { emails }, { 'if-match': `"${version}"` })).status === 200
    }
    case 'evidence': {
      if ((await businessOf(world, id)).status !== 'active') return false
      const value = addresses[one.address] ?? ''
      await addEvidenceTo(operator, id, { field: 'email', value })
      world.claims.set(id, [...(world.claims.get(id) ?? []), value])
      return true
    }
    case 'suppress': {
      const entry = { ...entries[one.entry], reason: 'Asked.', channel: 'phone' }
      return (await operator.post<AddedSuppression>('/suppressions', entry)).status < 300
    }
    case 'block':
      if ((await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'By hand.' })).status !== 200) return false
      for (const merged of merges) if (merged.survivorId === id) merged.isHeld = true
      return true
    case 'merge':
      return merge(world, id, idOf(one.into))
    case 'reverse': {
      const merged = merges.at(-1 - one.nth)
      if (merged === undefined) return false
      const { status } = await askReversal(administrator, merged.id, { 'idempotency-key': newId() })
      if (status === 200 && !merged.isHeld) world.freed.add(merged.survivorId)
      return status === 200
    }
    case 'erase': {
      const body = { reason: 'The person asked.', suppress: one.suppress }
      return (await administrator.post(`/businesses/${id}/erasure`, body)).status === 200
    }
    case 'move':
      return (await operator.post(`/businesses/${id}/pipeline-transitions`, { to: 'contacted' })).status < 300
    case 'export': {
      const body = { source: 'prospects', format: 'jsonl', suppressed: one.mark ? 'mark' : 'leave_out' }
      const { body: made } = await administrator.post<Export>('/exports', body, { 'idempotency-key': newId() })
      expect((await world.ended(made.jobId)).error_message).toBeNull()
      exports.push(made.id)
      return true
    }
    case 'fetch':
      return exports.at(-1 - one.nth) !== undefined
    case 'try to lift': {
      const client = await t.as(ROLES[one.role] ?? 'viewer')
      await client.post(`/businesses/${id}/do-not-contact-removal`, { reason: 'I want to.' })
      for (const { id: entryId } of (await operator.get<{ items: Suppression[] }>('/suppressions')).body.items)
        await client.post(`/suppressions/${entryId}/removal`, { reason: 'I want to.' })
      return true
    }
    case 'remove': {
      const { items } = (await operator.get<{ items: Suppression[] }>('/suppressions?status=active')).body
      const path = `/suppressions/${items[one.nth]?.id}/removal`
      return (await administrator.post(path, { reason: 'They came back.' })).status === 200
    }
    case 'lift': {
      const path = `/businesses/${id}/do-not-contact-removal`
      return (await administrator.post(path, { reason: 'They came back.' })).status === 200
    }
  }
}

/** Merges two records as a person does: waits for the suggestion, decides its conflicts and confirms it. */
async function merge(world: World, loserId: string, survivorId: string): Promise<boolean> {
  const [loser, survivor] = [await businessOf(world, loserId), await businessOf(world, survivorId)]
  if (loserId === survivorId || loser.status !== 'active' || survivor.status !== 'active') return false
  await followChanges(world.t.store)
  const suggestion = await suggestionOfPair(world.administrator, loserId, survivorId)
  const isSame = loser.pipelineState === survivor.pipelineState
  const fields = isSame ? {} : { pipelineState: survivorId }
  const { status, body } = await askMerge(
    world.administrator,
    suggestion,
    survivorId,
    { fields },
    { 'idempotency-key': newId() },
  )
  if (status === 200) world.merges.push({ id: body.id, survivorId, isHeld: survivor.doNotContact !== null })
  return status === 200
}

type Seen = {
  businesses: Map<string, Business>
  marked: Set<string>
  refused: Set<string>
  standing: Map<string, string[]>
}

async function look(world: World): Promise<Seen> {
  const businesses = new Map<string, Business>()
  for (const id of world.ids) businesses.set(id, await businessOf(world, id))
  world.active = world.ids.filter((id) => businesses.get(id)?.status === 'active')
  const isMarked = (id: string) => businesses.get(id)?.doNotContact !== null
  const isErased = (id: string) => businesses.get(id)?.erasedAt !== null
  const values = addresses.map((value) => ({ kind: 'email', value }))
  const { body } = await world.operator.post<{ items: { suppressed: boolean }[] }>('/suppressions/checks', { values })
  const standing = world.ids.map((id): [string, string[]] => {
    const claimed = isErased(id) ? [] : (world.claims.get(id) ?? [])
    return [id, [...(businesses.get(id)?.emails ?? []).map(({ value }) => value), ...claimed]]
  })
  return {
    businesses,
    marked: new Set(world.ids.filter(isMarked)),
    refused: new Set(addresses.filter((_, index) => body.items[index]?.suppressed === true)),
    standing: new Map(standing),
  }
}

/** Returns the addresses of these records, with all spellings of the same mailbox. */
function standingOn(ids: Iterable<string>, { standing }: Seen): Set<string> {
  const stands = new Set([...ids].flatMap((id) => standing.get(id) ?? []))
  const [jan = '', janLabelled = ''] = addresses
  return stands.has(jan) || stands.has(janLabelled) ? stands.add(jan).add(janLabelled) : stands
}

/** Returns the addresses that may not be used: those that the gate refuses, and those of records that are do not contact. */
function held(seen: Seen): Set<string> {
  return seen.refused.union(standingOn(seen.marked, seen))
}

/**
 * Returns the addresses that may be used again, because a reversal separated their record from one that was blocked. `freed`: survivors that only
 * the merge had blocked.
 */
function givenBack(before: Seen, after: Seen, freed: ReadonlySet<string>): Set<string> {
  const isBack = (id: string) =>
    freed.has(id) || (after.businesses.get(id)?.status === 'active' && before.businesses.get(id)?.status === 'merged')
  return standingOn([...after.businesses.keys()].filter(isBack), after)
}

/** Requires that every record with a value that the gate refuses is marked, and that its survivor is marked too. */
function everythingSuppressedIsMarked({ businesses, marked, refused, standing }: Seen): void {
  const free = [...standing].flatMap(([id, values]) => {
    const survivor = businesses.get(id)?.mergedInto ?? id
    return values.flatMap((value) => (refused.has(value) && !(marked.has(id) && marked.has(survivor)) ? [value] : []))
  })
  expect(free).toEqual([])
}

/** Requires that the columns from which lists are read agree with the matches: exactly the records that an entry matches are marked by it. */
async function marksAndMatchesAgree({ t }: World): Promise<void> {
  const { rows } = await sql`
    SELECT b.id, b.blocked_through FROM businesses b
    WHERE (b.do_not_contact = 1) <> (b.blocked_through IS NOT NULL)
      OR coalesce(b.blocked_through <> 'hand', 0) <> EXISTS (SELECT 1 FROM suppression_matches m
        WHERE m.tenant_id = b.tenant_id AND m.business_id = b.id AND m.live = 1)`.execute(t.store.reader)
  expect(rows).toEqual([])
}

/** Requires that a file contains nothing but the name of a marked record, and no value that the gate refuses now. */
async function nothingSuppressedLeaves(world: World, id: string, { marked, refused }: Seen): Promise<void> {
  const { status, body } = await world.administrator.get<string | null>(`/exports/${id}/content`)
  if (status !== 200) return expect([409, 410]).toContain(status)
  const rows = (body ?? '').split('\n').filter((line) => line !== '')
  for (const row of rows) {
    const { id: recordId, emails }: { id: string; emails: { value: string }[] } = JSON.parse(row)
    expect([row, marked.has(recordId) ? emails : []]).toEqual([row, []])
    expect([row, emails.filter(({ value }) => refused.has(value))]).toEqual([row, []])
  }
}

test('no order of edits, merges, reversals, erasures, exports, moves and attempts lifts a suppression or discloses an address; only an authorized removal does', {
  timeout: 120_000,
}, async () => {
  const done: World['done'] = new Set()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40, size: 'max' }), async (steps) => {
      const { t, operator, ended, work } = await jobWorld([exportJob])
      work()
      await markEvaluatedWhenEmpty(t.store, t.tenants.home.id)
      const administrator = await t.as('administrator')
      const world: World = {
        t,
        operator,
        ended,
        administrator,
        ids: [],
        active: [],
        merges: [],
        freed: new Set(),
        exports: [],
        claims: new Map(),
        done,
      }
      let before = await look(world)
      for (const one of [...FIRST_STEPS, ...steps]) {
        t.clock.advance(STEP_MS)
        world.freed.clear()
        if (await take(world, one)) done.add(one.do)
        const after = await look(world)
        everythingSuppressedIsMarked(after)
        await marksAndMatchesAgree(world)
        if (one.do !== 'remove' && one.do !== 'lift') {
          expect([one.do, [...before.marked.difference(after.marked).difference(world.freed)]]).toEqual([one.do, []])
          expect([one.do, [...before.refused.difference(after.refused)]]).toEqual([one.do, []])
          const freed = held(before)
            .difference(held(after))
            .difference(givenBack(before, after, world.freed))
          expect([one.do, [...freed]]).toEqual([one.do, []])
        }
        const file = world.exports.at(one.do === 'fetch' ? -1 - one.nth : -1)
        if (file !== undefined && (one.do === 'fetch' || one.do === 'export'))
          await nothingSuppressedLeaves(world, file, after)
        before = after
      }
      expect(await integrityOf(t.store.dataDir, t.tenants.home.id)).toMatchObject({ comparesValues: true, first: null })
    }),
    { numRuns: RUNS, examples: [[STORY], [GIVEN_BACK]], interruptAfterTimeLimit: SHRINKS_FOR_MS },
  )
  expect(STORY.filter((one) => !done.has(one.do))).toEqual([])
})
