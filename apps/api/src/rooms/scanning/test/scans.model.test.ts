import fc from 'fast-check'
import { expect, test } from 'vitest'
import { untilJob } from '../../../../test/job-world.ts'
import { newId } from '../../../lib/ids.ts'
import type { ScanState } from '../scanning.table.ts'
import type { Scan } from '../scans/scans.schema.ts'
import { failed, redirectTo } from '../scripted-web.acceptance.ts'
import { home, START, webWorld } from './web-world.ts'

/*
 * Tests scans of one page against a model: what a request answers, how a run ends by conditions, site and page budget, and that no ended scan changes.
 */

type Site = { kind: 'pages'; contactPages: number } | { kind: 'off_site' } | { kind: 'unsafe' }
type Step =
  | { do: 'ask'; bypassCache: boolean }
  | { do: 'run' | 'cancel' | 'block' }
  | { do: 'site'; site: Site }
  | { do: 'policy'; pages: number }

const site = fc.oneof(
  fc.record({ kind: fc.constant('pages' as const), contactPages: fc.integer({ min: 0, max: 2 }) }),
  fc.constantFrom<Site>({ kind: 'off_site' }, { kind: 'unsafe' }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), bypassCache: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constant({ do: 'run' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'block' as const }) },
  { weight: 2, arbitrary: site.map((one) => ({ do: 'site' as const, site: one })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }).map((pages) => ({ do: 'policy' as const, pages })) },
)

type Modelled = { id: string; state: ScanState; reasons: string[]; pages: number; policy: number }

class Model {
  scans: Modelled[] = []
  site: Site = { kind: 'pages', contactPages: 1 }
  isBlocked = false
  policy = 0
  pages = 5
  cached: string | null = null

  /** What a request answers: an earlier scan, or one that is deferred or queued. */
  answerTo(bypassCache: boolean): 'hit' | 'deferred' | 'queued' {
    if (this.cached !== null && !bypassCache) return 'hit'
    return this.isBlocked ? 'deferred' : 'queued'
  }

  run(scan: Modelled): void {
    if (this.isBlocked) Object.assign(scan, { state: 'deferred', reasons: ['do_not_contact'] })
    else if (scan.policy !== this.policy) Object.assign(scan, { state: 'deferred', reasons: ['policy_changed'] })
    else if (this.site.kind === 'unsafe')
      Object.assign(scan, { state: 'blocked', reasons: ['unsafe_address'], pages: 1 })
    else if (this.site.kind === 'off_site')
      Object.assign(scan, { state: 'incomplete', reasons: ['off_site'], pages: 1 })
    else {
      const wanted = 1 + this.site.contactPages
      const isCut = wanted > this.pages
      Object.assign(scan, { state: isCut ? 'incomplete' : 'complete', reasons: isCut ? ['page_limit'] : [] })
      scan.pages = Math.min(wanted, this.pages)
    }
    // Only a complete scan answers again. A newer blocked one displaces it, and a newer incomplete one does not.
    if (scan.state === 'complete') this.cached = scan.id
    if (scan.state === 'blocked') this.cached = null
  }
}

test('scans answer, run and end as their model, whatever changes in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
      const model = new Model()
      const world = await webWorld((url) => {
        if (url !== START) return url.includes('contact') ? '<p>Call us about a windpump.</p>' : undefined
        if (model.site.kind === 'unsafe') return failed('unsafe_address', { verdict: 'denied' })
        if (model.site.kind === 'off_site') return redirectTo('https://other.co.za/', 'off_site')
        const links = Array.from({ length: model.site.contactPages }, (_, at) => `<a href="/contact/${at}">Contact</a>`)
        return home + links.join('')
      })
      const { manager, businessId, t } = world
      const administrator = world.world.administrator
      const reason = 'They asked.'
      const take: { [Name in Step['do']]: (taken: Extract<Step, { do: Name }>) => Promise<void> } = {
        ask: async ({ bypassCache }) => {
          const expected = model.answerTo(bypassCache)
          const { status, body } = await world.ask({ bypassCache })
          expect(status).toBe({ hit: 200, deferred: 201, queued: 202 }[expected])
          if (expected === 'hit') expect([body.id, body.cacheStatus]).toEqual([model.cached, 'hit'])
          else {
            const reasons = expected === 'deferred' ? ['do_not_contact'] : []
            model.scans.push({ id: body.id, state: expected, reasons, pages: 0, policy: model.policy })
          }
        },
        run: async () => {
          const worker = world.begin()
          for (const scan of model.scans.filter(({ state }) => state === 'queued')) {
            const { jobId } = await world.read(scan.id)
            await untilJob(t.store, jobId ?? '', ({ ended_at }) => ended_at !== null)
            model.run(scan)
          }
          await worker.stop()
        },
        cancel: async () => {
          const queued = model.scans.find(({ state }) => state === 'queued')
          if (queued === undefined) return
          const { jobId } = await world.read(queued.id)
          await manager.post(`/jobs/${jobId}/cancellation`, {}, { 'idempotency-key': newId() })
          Object.assign(queued, { state: 'cancelled', reasons: ['cancelled'] })
        },
        block: async () => {
          await manager.post(`/businesses/${businessId}/do-not-contact`, { reason })
          model.isBlocked = true
        },
        site: async ({ site: next }) => {
          model.site = next
        },
        policy: async ({ pages }) => {
          const { body } = await manager.post<{ id: string; version: number }>('/scan-policies', {
            bounds: { pages },
            retentionDays: 90,
          })
          await administrator.post(`/scan-policies/${body.id}/approval`, { reason })
          Object.assign(model, { policy: body.version, pages, cached: null })
        },
      }
      for (const one of steps) {
        await take[one.do](one as never)
        const scans: Scan[] = []
        for (const { id } of model.scans) scans.push(await world.read(id))
        const seen = scans.map(({ id, state, reasons, pages, policyVersion }) => ({
          id,
          state,
          reasons,
          pages: pages.length,
          policy: policyVersion,
        }))
        expect(seen).toEqual(model.scans)
        for (const { budgets } of scans) expect(budgets.spent.pages).toBeLessThanOrEqual(budgets.applied.pages)
      }
    }),
    { numRuns: 6 },
  )
})
