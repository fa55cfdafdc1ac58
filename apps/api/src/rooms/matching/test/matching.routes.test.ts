import { test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import type { Job } from '../../jobs/jobs.schema.ts'

test('a request for a run is accepted and returns its job', async ({ expect }) => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { status, body, headers } = await manager.post<Job>('/match-runs', {}, { 'idempotency-key': 'run' })
  expect([status, body.kind, body.status, headers.location]).toEqual([
    202,
    'match-run',
    'queued',
    `/api/v1/jobs/${body.id}`,
  ])
  expect((await manager.get<Job>(`/jobs/${body.id}`)).body).toEqual(body)
})
