import { expect, test, vi } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { askedOf, findPlans, walks, watchStatements } from '../../../../test/statement-plans.ts'
import { newId } from '../../../lib/ids.ts'

/*
 * Checks the query plans of an erasure, which searches many tables in one change that blocks all other writers. In a large tenant it must not read
 * the whole audit, all suggestions or all stored responses.
 */

/** Tables that an erasure may scan, each with the reason why it is small. `own`: rows of the statement itself. */
const known = {
  own: /^SCAN (side|span|place|above|near)$/,
  'counts of matching runs, of which the newest are kept': /^SEARCH (s|match_snapshots) USING PRIMARY KEY /,
  'files of exports that are kept': /^SEARCH f USING INDEX export_files_kept /,
  'collections of everything held, which end after a day': /^SEARCH h USING INDEX holdings_open /,
  'the one open registry round': /^SEARCH r USING INDEX registry_rounds_open /,
  'saved filters, whose number is bounded': /^SEARCH saved_filters USING INDEX /,
  'previews of bulk actions: those without a bulk action are deleted when they expire':
    /^SEARCH bulk_previews USING INDEX bulk_previews_by_(end|person) /,
  'exports with a filter, and reports with a tag':
    /^SEARCH (e|reports) USING INDEX (exports_with_filter|reports_with_tag) /,
}

test('an erasure scans neither the audit nor any other large table of a tenant', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const key = () => ({ 'idempotency-key': newId() })
  // Create one record that was merged into another and separated again, and one survivor.
  const parted = await suggestedPair(t, administrator, 'Karoo', [{ tags: ['farm'] }, {}])
  const { id } = await merged(askMerge(administrator, parted.suggestion, parted.a))
  expect((await askReversal(administrator, id)).status).toBe(200)
  const joined = await suggestedPair(t, administrator, 'Fynbos', [{ tags: ['farm'] }, {}])
  await merged(askMerge(administrator, joined.suggestion, joined.a))
  const filter = [
    { field: 'tag', op: 'any_of', values: ['farm'] },
    { field: 'q', op: 'contains', values: ['karoo'] },
  ]
  await administrator.post('/exports', { source: 'prospects', format: 'csv', filter }, key())
  await administrator.post('/reports', { from: '2026-11-01', to: '2026-11-20', filter: { tag: 'farm' } }, key())
  const statements = watchStatements()
  for (const one of [parted.b, parted.a, joined.a]) {
    const body = { reason: 'They asked.', suppress: true }
    expect((await administrator.post(`/businesses/${one}/erasure`, body, key())).status).toBe(200)
  }
  vi.restoreAllMocks()
  const asked = askedOf(statements)
  expect(asked.length).toBeGreaterThan(50)
  const { walking } = findPlans(t.store, asked)
  const unknown = walking.map(({ sql, plan }) => ({
    sql,
    steps: plan.filter((step) => walks(sql, [step]) && !Object.values(known).some((pattern) => pattern.test(step))),
  }))
  expect(unknown.filter(({ steps }) => steps.length > 0)).toEqual([])
})
