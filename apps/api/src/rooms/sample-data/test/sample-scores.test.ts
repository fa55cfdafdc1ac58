import { expect, test } from 'vitest'
import { untilJob } from '../../../../test/job-world.ts'
import type { ListPage } from '../../../../test/prospects.ts'
import { noAdapters } from '../../../load-adapters.ts'
import { rooms } from '../../index.ts'
import type { Preview } from '../../scoring/previews/previews.schema.ts'
import type { RuleSet, Version } from '../../scoring/rule-sets/rule-sets.schema.ts'
import type { Run } from '../../scoring/runs/runs.schema.ts'
import { ok, scoringWorld } from '../../scoring/test/scoring-world.ts'
import { fillWithSampleData } from '../fill-with-sample-data.ts'

test('sample data has an approved rule set; a worker calculates and activates its scores, some 20 of them of the best priority', async () => {
  const { t, active } = await scoringWorld()
  const { id: tenantId } = t.tenants.home
  await fillWithSampleData(t.store, { tenantId, businesses: 80, seed: 1, rooms, adapters: noAdapters })
  const viewer = await t.as('viewer')
  const [ruleSet] = ok<ListPage<RuleSet>>(await viewer.get('/scoring/rule-sets')).items
  expect(ruleSet).toMatchObject({ name: 'Reachable first', newestState: 'approved' })
  const version = ok<Version>(await viewer.get(`/scoring/rule-sets/${ruleSet?.id}/versions/1`))
  expect(version).toMatchObject({ submittedBy: { name: 'sample data' }, approvedBy: { name: 'sample approval' } })
  const preview = ok<Preview>(await viewer.get(`/scoring/previews/${version.previewId}`))
  expect(preview.result?.records).toBeGreaterThan(0)
  await untilJob(t.store, preview.jobId, ({ status }) => status === 'succeeded')
  const [run] = ok<ListPage<Run>>(await viewer.get('/scoring/runs')).items
  await untilJob(t.store, run?.jobId ?? '', ({ status }) => status === 'succeeded')
  const scores = await active()
  expect(scores).toMatchObject({ runId: run?.id, distribution: { total: preview.result?.records } })
  const best = scores?.distribution.priority.find(({ id }) => id === 'A')
  expect(best?.count).toBeGreaterThanOrEqual(15)
}, 300_000)
