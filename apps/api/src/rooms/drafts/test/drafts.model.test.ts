import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import { closeTestApp, openTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestionOfPair } from '../../../../test/merging.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { change } from '../../../store/change/change.ts'
import { systemActor } from '../../identity/identity.ts'
import { followChanges as followMatching } from '../../matching/suggestions/matching-follower.ts'
import { limits } from '../limits.ts'
import type { Draft } from '../writing/drafts.schema.ts'
import {
  addClaim,
  addObservation,
  addProspect,
  approvedPolicy,
  basisBody,
  type DraftsWorld,
  EMAIL,
  follow,
  furnishWorld,
  outcomeOf,
  readDraft,
  seenOf,
  sent,
  writeDraft,
} from './drafts-world.ts'

/*
 * Any order of edits, evidence, merges, suppression, legal bases, policies, times, roles and restores, beside an oracle: no copy that the oracle
 * forbids, no approval that outlives what it is bound to, and none that ends for another reason (specification, Phase 14 §3).
 */

type Model = {
  state: Draft['state']
  hasPolicy: boolean
  bases: string[]
  policyId: string | null
  isBlocked: boolean
  /** the observation to cite, and whether the draft cites it: the former one may be superseded */
  standingId: string
  citesStanding: boolean
  /** the manager wrote a version, so the administrator decides */
  hasManagerWritten: boolean
  /** the day of the request or of the approval */
  since: number
  /** the day of the clock, or of the newest event if the clock was set back */
  day: number
  clock: number
  copies: number[]
  edits: number
}
type Step = (world: DraftsWorld, model: Model, draftId: string) => Promise<void>

/** Ends a request or an approval, because a part of its snapshot changed. */
function end(model: Model): void {
  if (model.state === 'in_review' || model.state === 'approved') model.state = 'needs_review'
}

const recent = ({ copies, day }: Model) => copies.filter((at) => at > day - limits.recipientDays).length
const passes = (model: Model) =>
  model.hasPolicy &&
  model.bases.length > 0 &&
  model.citesStanding &&
  !model.isBlocked &&
  recent(model) < limits.copiesToRecipient

/** Returns the days since the beginning, by the later of the clock and the newest event. */
async function dayOf({ t }: DraftsWorld, began: number): Promise<number> {
  const { newest } = await t.store.reader
    .selectFrom('audit_events')
    .select(({ fn }) => fn.max('at').as('newest'))
    .where('tenant_id', '=', t.tenants.home.id)
    .executeTakeFirstOrThrow()
  return (Math.max(t.clock().getTime(), Date.parse(newest)) - began) / DAY_MS
}

/** Requests and approvals end by themselves. */
function passTime(model: Model, day: number): void {
  model.day = day
  const age = day - model.since
  if (model.state === 'in_review' && age >= limits.requestDays) model.state = 'writing'
  if (model.state === 'approved' && age >= limits.approvalDays) model.state = 'needs_review'
}

/** Cites the observation that stands. */
const citing = ({ standingId }: Model) => ({
  citations: [{ marker: 1, evidenceId: standingId, quote: 'repair windpumps' }],
})

async function statusOf(answer: Promise<{ status: number }>): Promise<number> {
  return (await answer).status
}

const steps: Record<string, Step> = {
  edit: async (world, model, id) => {
    model.edits += 1
    const { version } = await readDraft(world, id)
    const body = { subject: `Edit ${model.edits}`, ...citing(model) }
    await sent(world.operator.patch(`/drafts/${id}`, body, { 'if-match': `"${version}"` }))
    Object.assign(model, { state: 'writing', citesStanding: true })
  },
  'edit by the manager': async (world, model, id) => {
    model.edits += 1
    const { version } = await readDraft(world, id)
    const body = { subject: `Edit ${model.edits}`, ...citing(model) }
    await sent(world.manager.patch(`/drafts/${id}`, body, { 'if-match': `"${version}"` }))
    Object.assign(model, { state: 'writing', citesStanding: true, hasManagerWritten: true })
  },
  retitle: async (world, model, id) => {
    model.edits += 1
    const { version } = await readDraft(world, id)
    await sent(world.operator.patch(`/drafts/${id}`, { title: `Title ${model.edits}` }, { 'if-match': `"${version}"` }))
  },
  'evidence about the name': async ({ operator, businessId }, model) => {
    await addClaim(operator, businessId, 'name', 'Karoo Pumps')
    end(model)
  },
  'other evidence': async ({ operator, businessId }) => {
    await addObservation(operator, businessId)
  },
  'the cited observation is superseded': async ({ operator, businessId }, model) => {
    model.standingId = await addObservation(operator, businessId, { supersedesId: model.standingId })
    if (model.citesStanding) end(model)
    model.citesStanding = false
  },
  'a merge and its reversal': async (world, model, id) => {
    const { t, operator, businessId } = world
    if (model.isBlocked) return
    const manager = await freshClient(t, 'manager')
    const survivor = await addProspect(operator, EMAIL)
    await followMatching(t.store)
    const merge = await merged(askMerge(manager, await suggestionOfPair(manager, businessId, survivor), survivor))
    end(model)
    expect(await outcomeOf(operator, await readDraft(world, id))).toBe('approval_ended')
    // A reversal that comes before the follower would leave nothing to end the approval.
    await follow(t)
    await sent(askReversal(manager, merge.id))
  },
  'another policy': async (world, model) => {
    // An approval requires a fresh proof of identity, and other steps advance the clock by days.
    model.policyId = await approvedPolicy({ ...world, manager: await freshClient(world.t, 'manager') })
    model.hasPolicy = true
    end(model)
  },
  'no policy': async ({ manager }, model) => {
    if (model.policyId === null) return
    await sent(manager.post(`/draft-policies/${model.policyId}/withdrawal`, { reason: 'x' }))
    model.policyId = null
    model.hasPolicy = false
    end(model)
  },
  'another basis': async ({ operator, businessId }, model) => {
    const path = `/businesses/${businessId}/legal-bases`
    if (model.isBlocked) {
      expect(await statusOf(operator.post(path, basisBody))).toBe(422)
      return
    }
    model.bases.push((await sent(operator.post<{ id: string }>(path, basisBody))).id)
  },
  'no basis': async ({ operator, businessId }, model) => {
    for (const id of model.bases.splice(0)) {
      await sent(operator.post(`/businesses/${businessId}/legal-bases/${id}/withdrawal`, { reason: 'x' }))
      end(model)
    }
  },
  'three days': async ({ t }, model) => {
    t.clock.advance(3 * DAY_MS)
    model.clock += 3
  },
  'the clock is set back': async ({ t }, model) => {
    // Not before the observations of the beginning.
    if (model.clock < 2) return
    t.clock.advance(-2 * DAY_MS)
    model.clock -= 2
  },
  'a restore': async ({ t }, model) => {
    const actor = systemActor('command line', t.tenants.home.id)
    await change(t.store, actor, { permission: null, action: 'store.restore' }, (tx) =>
      tx.record({ subject: { type: 'tenant', id: t.tenants.home.id } }),
    )
    if (model.state === 'approved') model.state = 'needs_review'
  },
  'do not contact': async ({ operator, businessId }, model) => {
    if (model.isBlocked) return
    await sent(operator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'x' }))
    // An objection ends every legal basis, also once the mark is lifted.
    Object.assign(model, { isBlocked: true, bases: [] })
    end(model)
  },
  'the mark is lifted': async ({ t, businessId }, model) => {
    if (!model.isBlocked) return
    const administrator = await freshClient(t, 'administrator')
    await sent(administrator.post(`/businesses/${businessId}/do-not-contact-removal`, { reason: 'By mistake.' }))
    model.isBlocked = false
  },
  follow: ({ t }) => follow(t),
  request: async (world, model, id) => {
    const seen = seenOf(await readDraft(world, id))
    const isAllowed = (model.state === 'writing' || model.state === 'needs_review') && passes(model)
    const status = await statusOf(world.operator.post(`/drafts/${id}/approval-requests`, seen))
    expect(status < 300).toBe(isAllowed)
    if (isAllowed) Object.assign(model, { state: 'in_review', since: model.day })
  },
  approve: async (world, model, id) => {
    const body = { ...seenOf(await readDraft(world, id)), reason: 'It is right.' }
    const isAllowed = model.state === 'in_review' && passes(model) && !model.hasManagerWritten
    expect((await statusOf(world.manager.post(`/drafts/${id}/approvals`, body))) < 300).toBe(isAllowed)
    if (isAllowed) Object.assign(model, { state: 'approved', since: model.day })
  },
  'approve as administrator': async (world, model, id) => {
    const body = { ...seenOf(await readDraft(world, id)), reason: 'It is right.' }
    const isAllowed = model.state === 'in_review' && passes(model)
    expect((await statusOf(world.administrator.post(`/drafts/${id}/approvals`, body))) < 300).toBe(isAllowed)
    if (isAllowed) Object.assign(model, { state: 'approved', since: model.day })
  },
  'approve without the permission': async (world, _model, id) => {
    const body = { ...seenOf(await readDraft(world, id)), reason: 'Mine.' }
    expect(await statusOf(world.operator.post(`/drafts/${id}/approvals`, body))).toBe(403)
    expect(await statusOf(world.viewer.post(`/drafts/${id}/approvals`, body))).toBe(403)
  },
  copy: async (world, model, id) => {
    const isAllowed = model.state === 'approved' && passes(model)
    expect((await outcomeOf(world.operator, await readDraft(world, id))) === 201).toBe(isAllowed)
    if (isAllowed) model.copies.push(model.day)
  },
}

const names = Object.keys(steps)
/** Half of the steps lead to a copy, so that approvals are there to end. */
const step = fc.oneof(fc.constantFrom(...names), fc.constantFrom('request', 'approve as administrator', 'copy'))

test('no order of steps makes a copy that the oracle forbids, or another state than it expects', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (order) => {
      const t = await openTestApp({ config: { sessionIdleMinutes: 1_000_000, sessionAbsoluteHours: 20_000 } })
      try {
        const world = await furnishWorld(t)
        const { id } = await writeDraft(world)
        const began = t.clock().getTime()
        const model: Model = {
          state: 'writing',
          hasPolicy: true,
          bases: [world.basisId],
          policyId: world.policyId,
          isBlocked: false,
          standingId: world.citedId,
          citesStanding: true,
          hasManagerWritten: false,
          since: 0,
          day: 0,
          clock: 0,
          copies: [],
          edits: 0,
        }
        for (const name of ['request', 'approve', ...order]) {
          await steps[name]?.(world, model, id)
          passTime(model, await dayOf(world, began))
          expect([name, (await readDraft(world, id)).state]).toEqual([name, model.state])
        }
      } finally {
        await closeTestApp(t)
      }
    }),
    { numRuns: 20 },
  )
})
