import { test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'
import type { Job } from '../../jobs/jobs.schema.ts'

holdRouteGuarantees('matching', [
  {
    method: 'post',
    path: '/match-runs',
    permission: 'matching.run',
    body: () => ({ reason: 'New rules.' }),
    needsKey: true,
    createsJob: true,
  },
  { method: 'get', path: '/match-suggestions', permission: 'matching.read', isList: true },
  { method: 'get', path: '/match-suggestions/counts', permission: 'matching.read' },
  { method: 'get', path: '/match-suggestions/:suggestionId', permission: 'matching.read' },
  {
    method: 'post',
    path: '/match-suggestions/:suggestionId/rejection',
    permission: 'matching.reject',
    body: () => ({ reason: 'Two shops of one chain.' }),
  },
  { method: 'get', path: '/match-suggestions/:suggestionId/merge-preview', permission: 'matching.read' },
  {
    method: 'post',
    path: '/match-suggestions/:suggestionId/merge',
    permission: 'matching.merge',
    body: ({ survivorId, fingerprint }) => ({ reason: 'One shop.', survivorId, fingerprint }),
    needsKey: true,
    decidesOnce: true,
  },
  { method: 'get', path: '/merges', permission: 'matching.read', isList: true },
  { method: 'get', path: '/merges/:mergeId', permission: 'matching.read' },
  {
    method: 'post',
    path: '/merges/:mergeId/reversal',
    permission: 'matching.reverse',
    body: () => ({ reason: 'Two shops after all.' }),
    needsKey: true,
    decidesOnce: true,
  },
  { method: 'get', path: '/merge-attempts', permission: 'matching.read', isList: true },
])

test('a run that is asked for is accepted, with the job that does it', async ({ expect }) => {
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
