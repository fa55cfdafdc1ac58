import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { numeral } from '../../../lib/numeral.ts'
import type { Merge, MergePreview } from '../merging/merges.schema.ts'

/** Number of children that is one above the limit of a merge. */
const TOO_MANY = 20_001

test('a pair shows any number of children; a merge or a reversal above the limit is refused', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const tenantId = t.tenants.home.id
  const addNotes = (businessId: string) =>
    t.store.write('upkeep', async (db) => {
      await sql`
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${TOO_MANY})
        INSERT INTO notes (tenant_id, id, business_id, text, sensitive, author, created_at)
        SELECT ${tenantId}, ${businessId} || i, ${businessId}, 'x', 0, 'test', ${t.clock().toISOString()} FROM n`.execute(
        db,
      )
      return { keep: true, value: undefined }
    })
  const words = `One of the two records has more than ${numeral(TOO_MANY - 1)} notes`

  const large = await suggestedPair(t, manager, 'Karoo Pumps')
  await addNotes(large.a)
  const { status, body: preview } = await manager.get<MergePreview>(
    `/match-suggestions/${large.suggestion.id}/merge-preview`,
  )
  expect([status, preview.sides[0]?.counts]).toMatchObject([200, { notes: TOO_MANY, audit: 2, evidence: 0 }])
  const refused = await askMerge(manager, await suggestionOfPair(manager, large.a, large.b), large.a)
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    413,
    'too_large',
    expect.stringContaining(words),
  ])

  const { a, suggestion } = await suggestedPair(t, manager, 'Protea Bakery')
  const { id } = await merged(askMerge(manager, suggestion, a))
  await addNotes(a)
  const told = (await manager.get<Merge>(`/merges/${id}`)).body.reversible
  expect(told).toMatchObject({ possible: false, hindrance: expect.stringContaining(words) })
  expect((await askReversal(manager, id)).body).toMatchObject({
    code: 'too_large',
    limit: 'merge_children',
    max: TOO_MANY - 1,
  })
})
