import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import type { ExplainedScore } from '../scores/scores.schema.ts'
import { followScores } from '../scores/scoring-follower.ts'
import { ok, scoringSteps, scoringWorld, simpleContent } from './scoring-world.ts'

/** Changes the stored content of a tenant's versions, which the program refuses to do. */
async function alterVersions({ store }: TestApp, tenantId: string): Promise<void> {
  await store.write('upkeep', async (db) => {
    await sql`DROP TRIGGER scoring_versions_are_frozen`.execute(db)
    await db
      .updateTable('scoring_versions')
      .set({ content: JSON.stringify({ ...simpleContent, rounding: 'down' }) })
      .where('tenant_id', '=', tenantId)
      .execute()
    return { keep: true, value: undefined }
  })
}

test('a workspace whose rule version was altered does not stop the scores of the others', async () => {
  const world = await scoringWorld()
  const { t } = world
  const other = scoringSteps({ store: t.store, as: (role) => t.as(role, 'other') })
  const scoreOf = async (tenant: 'home' | 'other', phone: string) => {
    const client = await t.as('manager', tenant)
    const { id } = await createProspect(client, { phones: [{ value: phone }] })
    return async () => ok<ExplainedScore>(await client.get(`/businesses/${id}/score`))
  }
  for (const steps of [world, other]) await steps.activated(await steps.ran(await steps.approved()))
  await followScores(t.store)
  await alterVersions(t, t.tenants.home.id)
  await scoreOf('home', '+27 21 555 0001')
  const score = await scoreOf('other', '+27 21 555 0002')
  await expect(followScores(t.store)).rejects.toMatchObject({ errors: [{ cause: { code: 'content_changed' } }] })
  expect(await score()).toMatchObject({ status: 'scored', low: 60 })
})
