import { describe, expect, test } from 'vitest'
import type { AcceptanceCheck } from '../../rooms/health/health.ts'
import { assembleReport, type Ran } from './assemble-report.ts'
import type { Told } from './deployment.checks.ts'
import { specifiedPhases } from './gates.ts'
import { schemaFaults } from './write-report.ts'

const good: AcceptanceCheck = { name: 'it holds', passed: true, found: 'It was seen.' }
const bad: AcceptanceCheck = { name: 'it holds', passed: false, found: 'It was not.' }
const run = {
  started_at: '2026-11-21T08:00:00.000Z',
  ended_at: '2026-11-21T08:01:00.000Z',
  commit: 'abc',
  product_version: '0.2.0-dev',
  image_digest: 'sha256:def',
  configuration_revision: '0123',
  schema_version: 15,
  node: '26.0.0',
}
const smoke = { passed: true, machine: {}, loads: { create: { requests: 1, failures: 0 } } }
const operational: Told = { area: 'Somewhere', status: 'operational', reason: 'It works.' }
const notBuilt: Told = { area: 'Somewhere', status: 'not_built', reason: 'It does not exist.' }

/** A service with every required capability, and all checks passed. */
function everything(): { ran: Ran[]; told: Map<number, Told> } {
  const required = specifiedPhases.filter((one) => one.required)
  return {
    told: new Map(specifiedPhases.map((one) => [one.phase, one.required ? operational : notBuilt])),
    ran: [
      { gate: { id: 'access', title: 'Access', phase: null, checks: [] }, results: [good] },
      ...required.map(({ phase }) => ({
        gate: { id: `phase_${phase}`, title: 'A phase', phase, checks: [] },
        results: [good],
      })),
    ],
  }
}

function reportOf(change: (seen: ReturnType<typeof everything>) => void = () => {}, more = {}) {
  const seen = everything()
  change(seen)
  return assembleReport({
    run,
    adapters: { file: null, items: [] },
    smoke,
    webUrl: 'http://127.0.0.1:8080',
    ...seen,
    ...more,
  })
}

const resultsOf = ({ ran }: ReturnType<typeof everything>, id: string) =>
  ran.find(({ gate }) => gate.id === id)?.results ?? []

describe('passed is computed', () => {
  test('every required capability is built and checked: passed, although contract phases are not built', () => {
    const report = reportOf()
    expect(report.passed).toBe(true)
    expect(report.blockers.filter(({ status }) => status === 'not_built').map(({ gate }) => gate)).toEqual([
      'phase_7',
      'phase_8',
      'phase_9',
      'phase_13',
    ])
  })

  test.each([
    [
      'a check of a phase failed',
      (seen: ReturnType<typeof everything>) => resultsOf(seen, 'phase_4').push(bad),
      'phase_4',
      'failed',
    ],
    [
      'a check without a phase failed',
      (seen: ReturnType<typeof everything>) => resultsOf(seen, 'access').push(bad),
      'access',
      'failed',
    ],
    [
      'a required phase is not built',
      (seen: ReturnType<typeof everything>) => seen.told.set(11, notBuilt),
      'phase_11',
      'not_built',
    ],
    [
      'a required phase is partly built',
      (seen: ReturnType<typeof everything>) => seen.told.set(5, { ...notBuilt, status: 'partial' }),
      'phase_5',
      'partial',
    ],
    [
      'a required phase is reported as working, but has no check',
      (seen: ReturnType<typeof everything>) => resultsOf(seen, 'phase_6').pop(),
      'phase_6',
      'not_checked',
    ],
    ['a phase is not reported', (seen: ReturnType<typeof everything>) => seen.told.delete(3), 'phase_3', 'not_told'],
  ])('%s: not passed, with a blocker', (_case, change, gate, status) => {
    const report = reportOf(change)
    expect(report.passed).toBe(false)
    expect(report.checks.gates[gate]?.passed).toBe(false)
    expect(report.blockers).toContainEqual({ gate, status, reason: expect.stringMatching(/\.$/) })
  })

  test('a phase that the specification calls contract only passes as such when its checks pass', () => {
    const contractOnly = { ...operational, status: 'contract_only' }
    const report = reportOf((seen) => seen.told.set(5, contractOnly))
    expect([report.passed, report.checks.gates.phase_5?.passed]).toEqual([true, true])
    expect(report.blockers.filter(({ gate }) => gate === 'phase_5')).toEqual([])
    expect(reportOf((seen) => seen.told.set(6, contractOnly)).passed).toBe(false)
    const failed = reportOf((seen) => {
      seen.told.set(5, contractOnly)
      resultsOf(seen, 'phase_5').push(bad)
    })
    expect(failed.passed).toBe(false)
  })

  test('lists the loaded adapters', () => {
    expect(reportOf().checks.adapters).toEqual({ file: null, items: [] })
    const adapters = { file: { sha256: 'a'.repeat(64) }, items: [{ id: 'dns', version: '0.1.0' }] }
    expect(reportOf(undefined, { adapters }).checks.adapters).toEqual(adapters)
  })

  test('a failure in the capacity smoke test: not passed', () => {
    const report = reportOf(undefined, { smoke: { ...smoke, passed: false } })
    expect(report.passed).toBe(false)
    expect(report.blockers).toContainEqual(expect.objectContaining({ gate: 'capacity_smoke', status: 'failed' }))
  })
})

test('a limit of every run is a blocker and does not fail the report', () => {
  const notShown = (report: ReturnType<typeof reportOf>) =>
    report.blockers.filter(({ status }) => status === 'not_shown').map(({ gate }) => gate)
  expect(notShown(reportOf())).toEqual(['off_host_backup', 'image_scan', 'tls'])
  expect(
    notShown(reportOf(undefined, { run: { ...run, image_digest: null }, webUrl: 'https://prospects.example' })),
  ).toEqual(['off_host_backup', 'image_scan', 'container_stack'])
})

test('a report matches the schema of the specification', () => {
  expect(schemaFaults(reportOf())).toBeNull()
})
