import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createProspect } from '../../../../test/prospects.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { bulkWorld, confirm, ended, outcomesOf, preview, undoPreview } from './bulk-world.ts'
import { rejection, reviewed, reviewStateOf } from './review-world.ts'

const PROSPECTS = 14

const earlier = fc.constantFrom('none', 'verify', 'reject', 'defer', 'reopen')
const plans = fc.record({
  earlier: fc.array(earlier, { minLength: PROSPECTS, maxLength: PROSPECTS }),
  action: fc.constantFrom({ action: 'verify' }, { action: 'reject', reasonCode: 'closed' }),
})

test('whatever was decided before, a bulk does what was frozen and its undo restores every state', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { t, operator, ids, start } = await bulkWorld(PROSPECTS)
      start()
      const until = daysAfter(t.clock(), 30).slice(0, 10)
      const decisions: Record<string, Record<string, unknown>> = {
        verify: { decision: 'verify', checkedFields: ['name'] },
        reject: rejection,
        defer: { decision: 'defer', until },
        reopen: { decision: 'reopen', reason: 'Again.' },
      }
      for (const [at, id] of ids.entries()) {
        const decision = decisions[plan.earlier[at] ?? 'none']
        if (decision !== undefined) await reviewed(operator, id, decision)
      }
      // For a record without a decision, the undo appends a reopening. Its state is then the same as before, but its time is that of the undo.
      const states = async () =>
        (await Promise.all(ids.map((id) => reviewStateOf(operator, id)))).map(({ decidedAt, ...standing }) => ({
          ...standing,
          decidedAt: standing.state === 'unreviewed' ? null : decidedAt,
        }))
      const before = await states()
      const seen = await preview(operator, { ...plan.action, selection: { filter: [], excludedIds: [] } })
      // Create a record after the selection was frozen; the bulk action must not include it.
      const { id: late } = await createProspect(operator, { name: 'Late' })
      const bulk = await ended(t, operator, await confirm(operator, seen))
      const outcomes = await outcomesOf(operator, bulk)
      expect(outcomes.map(({ businessId }) => businessId).toSorted()).toEqual(ids.toSorted())
      expect(await reviewStateOf(operator, late)).toMatchObject({ state: 'unreviewed' })
      expect(bulk.counts).toMatchObject({
        changed: seen.wouldChange,
        unchanged: seen.unchanged,
        refused: 0,
        notDone: 0,
      })
      if (bulk.counts.changed === 0) return
      const undone = await ended(t, operator, await confirm(operator, await undoPreview(operator, bulk)))
      expect(undone.counts).toEqual({ changed: bulk.counts.changed, unchanged: 0, refused: 0, notDone: 0 })
      expect(await states()).toEqual(before)
    }),
    { numRuns: 5, seed: 29, endOnFailure: true },
  )
})
