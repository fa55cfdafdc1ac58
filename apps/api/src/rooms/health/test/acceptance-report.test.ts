import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import apiPackage from '../../../../package.json' with { type: 'json' }
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { migrations } from '../../migrations.ts'
import { type AcceptanceReport, acceptanceReportFile } from '../acceptance-report.ts'

const report: AcceptanceReport = {
  report: 'phase17-final-acceptance',
  version: 1,
  scope: 'local-repository-acceptance',
  passed: false,
  checks: {
    run: {
      started_at: '2026-11-21T08:00:00.000Z',
      ended_at: '2026-11-21T08:01:00.000Z',
      commit: null,
      product_version: apiPackage.version,
      image_digest: null,
      configuration_revision: '0123',
      schema_version: migrations.length,
      node: '26.0.0',
      adapters: { file: null, items: [] },
    },
    checklist: [{ item: 'Restrict exposure', status: 'not_shown', how: 'The run does not look.' }],
    gates: {
      phase_3: {
        title: 'Manual prospect workflow',
        phase: 3,
        status: 'operational',
        passed: true,
        results: [{ name: 'a prospect is created', passed: true, found: 'It was.' }],
      },
    },
  },
  capacity_smoke: { passed: true, machine: { processors: 2 }, loads: { create: { requests: 200, p99_ms: 12.5 } } },
  blockers: [{ gate: 'phase_11', status: 'not_built', reason: 'There is no dashboard.' }],
  limitations: ['One process.'],
}

function write({ store }: TestApp, text: string): void {
  const file = acceptanceReportFile(store.dataDir)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

test('administrators read the last report unchanged, or that there is none', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  expect(await administrator.get('/acceptance-report')).toMatchObject({
    status: 200,
    body: { report: null, olderReport: null },
  })
  write(t, JSON.stringify(report))
  const changes = await t.changes(async () => {
    const { status, body } = await administrator.get('/acceptance-report')
    expect({ status, body }).toEqual({ status: 200, body: { report, olderReport: null } })
  })
  expect(changes).toEqual({})
})

test.each([
  ['of another product version', { ...report.checks, run: { ...report.checks.run, product_version: '0.1.0' } }],
  ['of another schema', { ...report.checks, run: { ...report.checks.run, schema_version: 1 } }],
  ['in an older form', { run: { ended_at: report.checks.run.ended_at, product_version: '0.1.0' }, gates: {} }],
])('a passed report %s is named as older and not returned', async (_case, checks) => {
  const t = await buildTestApp()
  write(t, JSON.stringify({ ...report, passed: true, checks }))
  const { status, body } = await (await t.as('administrator')).get('/acceptance-report')
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      report: null,
      olderReport: { endedAt: report.checks.run.ended_at, productVersion: checks.run.product_version },
    },
  })
})

test('other roles cannot read it', async () => {
  const t = await buildTestApp()
  write(t, JSON.stringify(report))
  expect(await t.visitor().get('/acceptance-report')).toMatchObject({ status: 401 })
  for (const role of ['manager', 'operator', 'viewer'] as const) {
    const answer = await (await t.as(role)).get('/acceptance-report')
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  }
})

test.each([
  ['not JSON', 'nonsense'],
  ['no report', '{"report":"another"}'],
  ['far too large', `"${'x'.repeat(1_100_000)}"`],
])('a file that is %s is reported as invalid, and nothing of it is shown', async (_case, text) => {
  const t = await buildTestApp()
  write(t, text)
  const { status, body } = await (await t.as('administrator')).get('/acceptance-report')
  expect({ status, body }).toMatchObject({
    status: 503,
    body: { code: 'unavailable', reason: 'report_unreadable', detail: expect.stringContaining('Run the acceptance') },
  })
  expect(JSON.stringify(body)).not.toContain('another')
})
