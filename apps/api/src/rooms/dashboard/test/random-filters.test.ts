import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { addEvidenceTo, createProspect, endProspect, type ListPage, moveTo, walk } from '../../../../test/prospects.ts'
import { setMax } from '../../../../test/set-max.ts'
import { openPreviewQuota } from '../../review/bulk/bulk.quota.ts'
import type { BulkPreview } from '../../review/bulk/bulk.schema.ts'
import { rejection, reviewed } from '../../review/test/review-world.ts'
import type { Tile } from '../dashboard.schema.ts'

/*
 * Tests with random filters that the tile of the filter, the list of prospects, the review queue and a frozen selection count the same records, which
 * are those that the pages of the list contain.
 */

const PROSPECTS = 24
const tags = ['farm', 'wind', 'solar']

const blueprint = fc.record({
  tag: fc.option(fc.constantFrom(...tags)),
  isMine: fc.boolean(),
  isMoved: fc.boolean(),
  isBlocked: fc.boolean(),
  isReviewed: fc.boolean(),
  hasEvidence: fc.boolean(),
  province: fc.option(fc.constantFrom('Gauteng', 'Western Cape')),
  isEnded: fc.constantFrom(true, false, false, false, false),
})

const op = fc.constantFrom('any_of', 'none_of')
const some = <Value>(...values: Value[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const choice = (field: string, values: fc.Arbitrary<unknown[]>) => fc.record({ field: fc.constant(field), op, values })
const absence = (field: string) =>
  fc.record({ field: fc.constant(field), op: fc.constantFrom('is_empty', 'is_not_empty'), values: fc.constant([]) })

const condition = fc.oneof(
  choice('state', some('new', 'contacted', 'won')),
  choice('assignee', some('me')),
  absence('assignee'),
  choice('tag', some(...tags)),
  absence('tag'),
  choice('province', some('GP', 'WC', 'other')),
  absence('province'),
  choice('doNotContact', some(true, false)),
  choice('hasEvidence', some(true, false)),
  choice('review', some('due', 'unreviewed', 'rejected', 'verified')),
)
const filters = fc.uniqueArray(condition, { maxLength: 4, selector: ({ field }) => field })

async function makeProspects(operator: TestClient, t: Awaited<ReturnType<typeof buildTestApp>>): Promise<void> {
  const me = t.tenants.home.users.operator.id
  for (const [at, plan] of fc.sample(blueprint, { numRuns: PROSPECTS, seed: 17 }).entries()) {
    const { id } = await createProspect(operator, {
      name: `P ${at}`,
      tags: plan.tag === null ? [] : [plan.tag],
      assigneeId: plan.isMine ? me : null,
      address: { province: plan.province },
    })
    if (plan.isMoved) await moveTo(operator, id, 'contacted')
    if (plan.hasEvidence) await addEvidenceTo(operator, id)
    if (plan.isReviewed) await reviewed(operator, id, rejection)
    if (plan.isBlocked) await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
    if (plan.isEnded) await endProspect(t, id, { status: 'inactive' })
  }
}

test('for random filters a tile, both lists and a selection count the same records', { timeout: 120_000 }, async () => {
  setMax(openPreviewQuota, Number.MAX_SAFE_INTEGER)
  const t = await buildTestApp()
  const operator = await t.as('operator')
  await makeProspects(operator, t)
  const sizes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const query = `conditions=${encodeURIComponent(JSON.stringify(filter))}`
      const found = (await walk<{ id: string }>(operator, `/businesses?${query}`, 10)).map(({ id }) => id)
      const queue = (await operator.get<ListPage<unknown>>(`/review-queue?${query}`)).body
      const saved = await operator.post<{ id: string }>('/saved-filters', { desk: 'prospects', name: 'Random', filter })
      const tile = (await operator.get<Tile>(`/dashboard/tiles/filter:${saved.body.id}`)).body
      const list = (await operator.get<ListPage<unknown>>(`/businesses?${new URLSearchParams(tile.link?.query)}`)).body
      const frozen = await operator.post<BulkPreview>('/bulk-reviews/previews', {
        action: 'verify',
        selection: { filter, excludedIds: found.slice(0, 1) },
      })
      await operator.delete(`/saved-filters/${saved.body.id}`)
      const { length } = found
      sizes.add(length)
      expect([queue.page.total?.value, tile.status, tile.value, list.page.total?.value]).toEqual([
        ...[length, 'ready', length, length],
      ])
      expect(frozen.body.selection.size).toBe(Math.max(0, length - 1))
    }),
    { numRuns: 40, seed: 23, endOnFailure: true },
  )
  expect(sizes.size).toBeGreaterThan(5)
})
