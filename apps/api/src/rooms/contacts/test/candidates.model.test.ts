import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import type { ContactCandidate } from '../candidates/candidates.schema.ts'
import { followSuppressions } from '../candidates/suppression-follower.ts'
import type { ContactState } from '../contacts.table.ts'
import { contactWorld, headers, reason } from './contact-world.ts'

/*
 * Tests the state machine of candidates against a model, under random orders of extractions, decisions, suppression entries, ends of the retention
 * period and withdrawals of the site. The model remembers the candidate of each value, and how earlier candidates of it ended.
 */

const values = ['a@karoo.co.za', 'b@karoo.co.za'] as const
type Value = (typeof values)[number]
type Step =
  | { do: 'find'; value: Value; isHidden: boolean }
  | { do: 'accept' | 'reject' | 'release'; value: Value }
  | { do: 'suppress'; value: Value }
  | { do: 'withdraw' | 'wait' }

const value = fc.constantFrom(...values)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('find' as const), value, isHidden: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('accept' as const, 'reject', 'release'), value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('suppress' as const), value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('withdraw' as const, 'wait') }) },
)

const RUNS = 40
/** Days of a wait: more than the retention period. */
const WAIT_DAYS = 91
/** Together shorter than the approval of the site, the enablement and the year of a rejection. */
const MAX_WAITS = 2

const allowed = { accept: 'open', reject: 'open', release: 'quarantined' } as const
const reached = { accept: 'accepted', reject: 'rejected', release: 'open' } as const

async function live(steps: readonly Step[], done: Set<string>): Promise<void> {
  const world = await contactWorld({ isEnabled: false })
  const { t, id, manager, approve, enable, extract, list, decide, suppress, inDays } = world
  await enable({ validUntil: inDays(366) })
  let siteId = world.siteId
  let waits = 0
  /** the candidate of each value that a decision, an expiry or a suppression may still end */
  const current = new Map<Value, 'open' | 'quarantined' | 'accepted'>()
  const past: ContactState[] = []
  const rejected = new Set<Value>()
  const suppressed = new Set<Value>()
  /** An accepted value is evidence of the record, so an entry for it blocks the record, and no page of the record can be supplied any more. */
  let isBlocked = false
  const end = (one: Value, state: ContactState) => {
    current.delete(one)
    past.push(state)
  }
  const expire = () => {
    for (const [one, state] of current) if (state !== 'accepted') end(one, 'expired')
  }
  const carryOut = async (step: Step): Promise<void> => {
    switch (step.do) {
      case 'find': {
        const { value: one, isHidden } = step
        const html = `<h1>Contact</h1><p${isHidden ? ' hidden' : ''}>${one}</p>`
        expect((await extract(html)).state).toBe('complete')
        if (suppressed.has(one) || rejected.has(one) || current.get(one) === 'accepted') return
        if (current.get(one) !== 'open') current.set(one, isHidden ? 'quarantined' : 'open')
        return
      }
      case 'suppress':
        if (suppressed.has(step.value)) return
        await suppress('email', step.value)
        await followSuppressions(t.store)
        suppressed.add(step.value)
        isBlocked = current.get(step.value) === 'accepted'
        if (current.has(step.value)) end(step.value, current.get(step.value) === 'accepted' ? 'accepted' : 'suppressed')
        return
      case 'withdraw': {
        const sites = await manager.get<{ items: { id: string; fingerprint: string }[] }>('/official-sites')
        const { fingerprint } = sites.body.items.find((one) => one.id === siteId) ?? { fingerprint: '' }
        const withdrawal = { decision: 'withdraw', reason, fingerprint }
        expect((await manager.post(`/official-sites/${siteId}/decision`, withdrawal, headers())).status).toBe(200)
        await upkeepOf('contacts', t.store)
        expire()
        // These decisions require a recent sign-in, and a step may have waited for months.
        siteId = await approve(undefined, undefined, undefined, await freshClient(t, 'manager'))
        const client = await freshClient(t, 'administrator')
        expect((await enable({ enabled: false, validUntil: undefined }, client)).status).toBe(201)
        expect((await enable({ validUntil: inDays(366) }, client)).status).toBe(201)
        return
      }
      case 'wait':
        if (waits === MAX_WAITS) return
        waits += 1
        t.clock.advance(WAIT_DAYS * DAY_MS)
        await upkeepOf('contacts', t.store)
        expire()
        return
      default:
        await press(step.do, step.value)
    }
  }
  /** Decides about the newest candidate of a value that is shown. */
  const press = async (decision: keyof typeof allowed, one: Value) => {
    const shown = (await list()).find((candidate: ContactCandidate) => candidate.value === one)
    if (shown === undefined) {
      expect(current.has(one)).toBe(false)
      return
    }
    const { status, body } = await decide(shown, { decision, reason })
    if (current.get(one) !== allowed[decision]) {
      expect([status, body.code]).toEqual([409, 'candidate_not_open'])
      return
    }
    expect([decision, status]).toEqual([decision, 200])
    const state = reached[decision]
    if (state === 'rejected') {
      rejected.add(one)
      end(one, state)
    } else current.set(one, state)
  }
  for (const step of steps) {
    if (isBlocked) return
    const before = JSON.stringify([...current])
    await carryOut(step)
    if (JSON.stringify([...current]) !== before) done.add(step.do)
    const rows = await t.store.reader
      .selectFrom('contact_candidate_states')
      .select('state')
      .where('business_id', '=', id)
      .execute()
    expect([step, rows.map(({ state }) => state).sort()]).toEqual([step, [...current.values(), ...past].sort()])
  }
}

test('candidates keep to their states under any order of extractions, decisions, suppression and expiry', {
  timeout: 120_000,
}, async () => {
  const done = new Set<string>()
  const examples: Step[][] = [
    [
      { do: 'find', value: values[0], isHidden: true },
      { do: 'accept', value: values[0] },
      { do: 'release', value: values[0] },
      { do: 'accept', value: values[0] },
      { do: 'find', value: values[1], isHidden: false },
      { do: 'reject', value: values[1] },
      { do: 'find', value: values[1], isHidden: false },
      { do: 'wait' },
      { do: 'withdraw' },
      { do: 'suppress', value: values[0] },
    ],
    [
      { do: 'find', value: values[0], isHidden: false },
      { do: 'withdraw' },
      { do: 'find', value: values[0], isHidden: true },
      { do: 'find', value: values[0], isHidden: false },
      { do: 'suppress', value: values[0] },
      { do: 'find', value: values[0], isHidden: false },
      { do: 'find', value: values[1], isHidden: false },
      { do: 'wait' },
    ],
  ]
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), (steps) => live(steps, done))
  await fc.assert(property, {
    numRuns: RUNS,
    examples: examples.map((steps) => [steps]),
    interruptAfterTimeLimit: 60_000,
  })
  expect([...done].sort()).toEqual(['accept', 'find', 'reject', 'release', 'suppress', 'wait', 'withdraw'])
})
