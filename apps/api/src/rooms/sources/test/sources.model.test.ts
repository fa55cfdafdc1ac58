import { answer, fail } from '@prospect/adapter-contract/test-kit/fixture-adapter'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adaptersOf, contract, REASON, type SourceWorld, sourceWorld } from '../../../../test/source-world.ts'
import { AppError } from '../../../lib/app-error.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import { updateMembership } from '../../identity/accounts/users.queries.ts'
import { memberActor, systemActor } from '../../identity/identity.ts'
import { findTransition } from '../circuit/circuit.queries.ts'
import { decideIncident, recordIncident, resetCircuit } from '../circuit/incidents.ts'
import { contractSchema } from '../registry/contract.rules.ts'
import { disableSource, enableSource, giveApproval, revokeDecision, validApproval } from '../registry/decide.ts'
import { createSource } from '../registry/propose.ts'
import { recordAllLapses } from '../registry/record-lapses.ts'
import { getSourceRow, readSourceState } from '../registry/source-state.ts'
import { type CircuitState, desks } from '../sources.table.ts'

/*
 * Model-based tests. The status and the circuit of a source are compared with simple models, with clocks that jump in both directions and restarts
 * with other adapters. Lapses are recorded after each step, as the loop does within a minute.
 */

const none: LoadedAdapters = { file: null, items: [] }

async function people(world: SourceWorld) {
  const { home, other } = world.t.tenants
  const actorOf = async (userId: string) => {
    const actor = await memberActor(world.t.store.reader, { tenantId: home.id, userId }, newId())
    if (actor === undefined) throw new Error('Somebody is no member.')
    return actor
  }
  return {
    author: await actorOf(home.users.manager.id),
    enabler: await actorOf(home.users.administrator.id),
    product: await actorOf(other.users.manager.id),
    legal: await actorOf(other.users.operator.id),
    security: await actorOf(other.users.viewer.id),
  }
}

type People = Awaited<ReturnType<typeof people>>

async function as<T>(world: SourceWorld, actor: People['author'], work: (tx: Tx) => Promise<T>): Promise<T | string> {
  try {
    return (await change(world.t.store, actor, { permission: null, action: 'source.edit' }, work)).value
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

async function proposed(world: SourceWorld, { author }: People, changes: object = {}): Promise<string> {
  const ownerId = world.t.tenants.home.users.viewer.id
  const terms = { ownerId, reference: 'Agreement', reviewDueOn: world.inDays(300).slice(0, 10) }
  const whole = contractSchema.parse({ ...contract, terms, ...changes })
  const input = { slug: newId(), name: 'Directory', adapter: { id: 'fixture', version: '1.0.0' }, contract: whole }
  const made = await as(world, author, (tx) => createSource({ tx, adapters: world.adapters }, input))
  if (typeof made === 'string') throw new Error(made)
  return made.id
}

async function enabledSource(world: SourceWorld, who: People, changes: object): Promise<string> {
  const { adapters } = world
  const sourceId = await proposed(world, who, changes)
  const view = { db: world.t.store.reader, tenantId: who.author.tenantId, at: world.t.clock().toISOString(), adapters }
  const source = await readSourceState(view, await getSourceRow(view.db, view.tenantId, sourceId))
  const about = { fingerprint: source?.present.fingerprint ?? '', reason: REASON, endsAt: world.inDays(50) }
  for (const desk of desks)
    await as(world, who[desk], (tx) =>
      giveApproval({ tx, actor: who[desk], adapters }, sourceId, { ...about, desk, decision: 'approve' }),
    )
  const made = await as(world, who.enabler, (tx) => enableSource({ tx, actor: who.enabler, adapters }, sourceId, about))
  if (typeof made === 'string') throw new Error(made)
  return sourceId
}

const steps = [
  'approve',
  'enable',
  'disable',
  'revoke',
  'owner leaves',
  'owner is back',
  'adapter is missing',
  'adapter is there',
  'file changes',
  'later',
  'earlier',
  'restore',
] as const
type Step = (typeof steps)[number]

test('a source is enabled exactly while nothing has ended its enablement since a person enabled it', {
  timeout: 120_000,
}, async () => {
  const world = await sourceWorld()
  const { store, clock, tenants } = world.t
  const tenantId = tenants.home.id
  const ownerId = tenants.home.users.viewer.id
  const who = await people(world)
  const start = clock().getTime()
  const owner = async (status: 'active' | 'disabled') => {
    const actor = systemActor('command line', tenantId)
    const action = status === 'active' ? 'user.enable' : 'user.disable'
    await change(store, actor, { permission: null, action }, async (tx) => {
      await updateMembership(tx.db, { tenantId, userId: ownerId }, { status, at: tx.at })
      await tx.record({ subject: { type: 'user', id: ownerId } })
    })
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 22 }), async (taken) => {
      clock.advance(start - clock().getTime())
      await owner('active')
      const sourceId = await proposed(world, who)
      let adapters = world.adapters
      let isEnabled = false
      let isOwner = true
      let ended: { approvals: number; enablement: number } | undefined
      const stand = async () => {
        const view = { db: store.reader, tenantId, at: clock().toISOString(), adapters }
        const source = await readSourceState(view, await getSourceRow(store.reader, tenantId, sourceId))
        if (source === undefined) throw new Error('It is no built-in entry.')
        return source
      }
      const doStep: Record<Step, () => Promise<void>> = {
        approve: async () => {
          for (const desk of desks) {
            const { present } = await stand()
            const endsAt = new Date(clock().getTime() + 100 * DAY_MS).toISOString()
            const input = {
              desk,
              decision: 'approve',
              fingerprint: present.fingerprint,
              reason: REASON,
              endsAt,
            } as const
            await as(world, who[desk], (tx) => giveApproval({ tx, actor: who[desk], adapters }, sourceId, input))
          }
        },
        enable: async () => {
          const source = await stand()
          const endsAt = new Date(clock().getTime() + 50 * DAY_MS).toISOString()
          const input = { fingerprint: source.present.fingerprint, reason: REASON, endsAt }
          const made = await as(world, who.enabler, (tx) =>
            enableSource({ tx, actor: who.enabler, adapters }, sourceId, input),
          )
          if (typeof made === 'string') return
          const approvals = desks.map((desk) => validApproval(source, desk))
          expect([isOwner, adapters !== none, approvals.every((one) => one !== undefined)]).toEqual([true, true, true])
          isEnabled = true
          ended = {
            approvals: Math.min(...approvals.map((one) => Date.parse(one?.endsAt ?? ''))),
            enablement: clock().getTime() + 50 * DAY_MS,
          }
        },
        disable: async () => {
          await as(world, who.enabler, (tx) => disableSource({ tx, adapters }, sourceId, REASON))
          isEnabled = false
        },
        revoke: async () => {
          const approval = validApproval(await stand(), 'legal')
          if (approval === undefined) return
          const input = { decisionId: approval.id, reason: REASON }
          const made = await as(world, who.enabler, (tx) =>
            revokeDecision({ tx, actor: who.enabler, adapters }, sourceId, input),
          )
          if (typeof made !== 'string') isEnabled = false
        },
        'owner leaves': async () => {
          await owner('disabled')
          isOwner = false
          isEnabled = false
        },
        'owner is back': async () => {
          await owner('active')
          isOwner = true
        },
        'adapter is missing': async () => {
          adapters = none
          isEnabled = false
        },
        'adapter is there': async () => {
          if (adapters === none) adapters = world.adapters
        },
        'file changes': async () => {
          adapters = adaptersOf(world.fixture, newId())
          isEnabled = false
        },
        later: async () => clock.advance(30 * DAY_MS),
        earlier: async () => clock.advance(-30 * DAY_MS),
        restore: async () => {
          const actor = systemActor('command line', tenantId)
          await change(store, actor, { permission: null, action: 'store.restore' }, (tx) =>
            tx.record({ subject: { type: 'tenant', id: tenantId } }),
          )
          isEnabled = false
        },
      }
      // Every run starts with an approval and an enablement, because most random runs would enable nothing.
      for (const step of ['approve', 'enable', ...taken] as const) {
        await doStep[step]()
        await recordAllLapses({ store, adapters })
        const { present } = await stand()
        const now = Date.parse(present.now)
        if (ended !== undefined && (now >= ended.enablement || now >= ended.approvals)) isEnabled = false
        expect([step, (await stand()).state.status === 'enabled']).toEqual([step, isEnabled])
      }
    }),
    { numRuns: 25 },
  )
})

test('a circuit follows its model: failures open it, only a reset leaves it, successes close it', {
  timeout: 120_000,
}, async () => {
  let isUp = true
  const world = await sourceWorld({ script: () => (isUp ? answer([]) : fail('server_error')) })
  const { store, clock } = world.t
  const { tenants } = world.t
  const who = await people(world)
  const start = clock().getTime()
  const circuit = { failureRatio: 1, consecutiveFailures: 2, latencyMs: 100_000, closeAfterSuccesses: 2 }
  const circuitOf = (sourceId: string) => findTransition(store.reader, { tenantId: tenants.home.id, sourceId })
  const wanted = { circuit, rate: { perMinute: 600, perDay: 100_000 } }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('up', 'down', 'later', 'earlier', 'restart', 'reset'), { maxLength: 20 }),
      async (taken) => {
        clock.advance(start - clock().getTime())
        const sourceId = await enabledSource(world, who, wanted)
        const model = { state: 'closed' as CircuitState, counted: 0 }
        let adapters = world.adapters
        const move = (to: CircuitState) => {
          model.state = to
          model.counted = 0
        }
        for (const step of taken) {
          if (step === 'later') clock.advance(600_000)
          if (step === 'earlier') clock.advance(-600_000)
          if (step === 'restart') adapters = adaptersOf(world.fixture)
          if (step === 'reset') {
            const openingId = (await circuitOf(sourceId))?.opening_id ?? ''
            const made = await as(world, who.author, (tx) =>
              recordIncident(tx, sourceId, { kind: 'incident', openingId, description: 'Down' }),
            )
            if (typeof made === 'string') continue
            const key = { sourceId, incidentId: made.id }
            await as(world, who.legal, (tx) => decideIncident(tx, key, { decision: 'approve', reason: REASON }))
            const reset = await as(world, who.author, (tx) =>
              resetCircuit(tx, sourceId, { incidentId: made.id, reason: REASON }),
            )
            expect(typeof reset === 'string').toBe(model.state !== 'open')
            if (model.state === 'open') move('probation')
          }
          if (step === 'up' || step === 'down') {
            isUp = step === 'up'
            const outcome = await world.ask(sourceId, { adapters })
            if (model.state === 'open') {
              expect(outcome).toMatchObject({ outcome: 'unavailable', reason: 'circuit_open' })
              continue
            }
            const before = model.state
            model.counted = isUp === (before === 'probation') ? model.counted + 1 : 0
            if (before === 'closed' && model.counted === 2) move('open')
            if (before === 'probation' && !isUp) move('open')
            if (before === 'probation' && isUp && model.counted === 2) move('closed')
          }
          expect([step, (await circuitOf(sourceId))?.state ?? 'closed']).toEqual([step, model.state])
        }
      },
    ),
    { numRuns: 20 },
  )
})
