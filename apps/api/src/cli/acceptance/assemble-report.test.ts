import { describe, expect, test } from 'vitest'
import type { CapabilityReport } from '../../acceptance/capabilities.ts'
import { type Gate, idOf, specifiedPhases } from '../../acceptance/gates.ts'
import type { AcceptanceCheck } from '../../rooms/health/health.ts'
import { rooms } from '../../rooms/index.ts'
import { assembleReport, type Ran } from './assemble-report.ts'
import { loadGates } from './load-gates.ts'
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
  adapters: { file: null, items: [] as { id: string; version: string }[] },
}
const smoke = { passed: true, machine: {}, loads: { create: { requests: 1, failures: 0 } } }
const globalGates = ['access', 'tenancy', 'interface']

const capability = (phase: number, status: string): CapabilityReport => ({
  phase,
  area: `Area ${phase}`,
  status,
  reason: 'The reason.',
})
const gates = await loadGates(rooms)
const ranOf = (id: string, results: AcceptanceCheck[]): Ran => ({
  gate: { id, title: id, phase: null, checks: [] },
  results,
})
/** The gate of a phase that declares what a live claim needs, or the only one. */
const gateOf = (phase: number): Gate[] =>
  gates
    .filter((gate) => gate.phase === phase)
    .toSorted((a, b) => Number('liveClaim' in b) - Number('liveClaim' in a))
    .slice(0, 1)

/** A service whose phases have the expected status, and whose checks all passed. */
function everything(): { ran: Ran[]; capabilities: CapabilityReport[] } {
  return {
    capabilities: specifiedPhases.map(({ phase, expected }) => capability(phase, expected)),
    ran: [
      ...globalGates.map((id) => ranOf(id, [good])),
      ...specifiedPhases.flatMap(({ phase }) => gateOf(phase)).map((gate) => ({ gate, results: [good] })),
    ],
  }
}

function reportOf(change: (seen: ReturnType<typeof everything>) => void = () => {}, more = {}) {
  const seen = everything()
  change(seen)
  return assembleReport({ run, smoke, webUrl: 'http://127.0.0.1:8080', ...seen, ...more })
}

/** The report of a service with one phase in this status, with these results. */
function withPhase(phase: number, status: string | undefined, results: AcceptanceCheck[]) {
  return reportOf((seen) => {
    seen.capabilities = seen.capabilities.filter((one) => one.phase !== phase)
    if (status !== undefined) seen.capabilities.push(capability(phase, status))
    seen.ran = seen.ran.map((one) => (one.gate.phase === phase ? { ...one, results } : one))
  })
}

const statuses = ['operational', 'contract_only', 'disabled', 'partial', 'not_built', 'a new status', undefined]
const outcomes: Record<string, AcceptanceCheck[]> = { none: [], passed: [good], failed: [good, bad] }

describe.each(specifiedPhases.map(({ phase, expected }) => [phase, expected] as const))(
  'phase %i, expected %s',
  (phase, expected) => {
    const gate = `phase_${phase}`
    test.each(
      statuses.flatMap((status) =>
        Object.entries(outcomes).map(([name, results]) => [status ?? 'not reported', name, status, results] as const),
      ),
    )('%s, checks: %s', (_status, _name, status, results) => {
      const report = withPhase(phase, status, [...results])
      const isExpected = status === 'operational' || status === expected
      const isPassed = isExpected && results.length > 0 && !results.includes(bad)
      expect([report.passed, report.checks.gates[gate]?.passed]).toEqual([isPassed, isPassed])
      const blocked = report.blockers.filter((one) => one.gate === gate)
      const found = blocked.map((one) => one.status)
      expect(found).toEqual([
        ...(results.includes(bad) ? ['failed'] : []),
        ...(isExpected ? [] : [status ?? 'not_reported']),
        ...(isExpected && results.length === 0 ? ['not_checked'] : []),
        ...(isPassed && status !== 'operational' ? [status] : []),
      ])
      for (const { reason } of blocked) expect(reason).toMatch(/\.$/)
      expect(schemaFaults(report)).toBeNull()
    })
  },
)

test('rooms declare at least one check for each phase, and what a live claim needs once for each phase that is not live', () => {
  for (const { phase, expected } of specifiedPhases) {
    const own = gates.filter((gate) => gate.phase === phase)
    const claims = own.filter((gate) => 'liveClaim' in gate && gate.liveClaim !== undefined)
    expect([phase, own.flatMap(({ checks }) => checks).length > 0, claims.length]).toEqual([
      ...[phase, true, expected === 'operational' ? 0 : 1],
    ])
  }
})

test('a check has one name within its gate, and a gate without a phase belongs to one room', () => {
  const names = gates.flatMap((gate) => gate.checks.map(({ name }) => `${idOf(gate)}: ${name}`))
  expect(new Set(names).size).toBe(names.length)
  const own = gates.filter(({ phase }) => phase === null).map(idOf)
  expect(new Set(own).size).toBe(own.length)
})

test('a passed phase that is not live has a blocker of three sentences: shown, not shown, what to do', () => {
  const blockers = reportOf().blockers.filter(({ status }) => ['contract_only', 'disabled'].includes(status))
  expect(blockers.map(({ gate }) => gate)).toEqual(['phase_5', 'phase_7', 'phase_8', 'phase_9', 'phase_13'])
  for (const { reason } of blockers) expect(reason).toMatch(/^[^.]+\. No [^.]+\. To go live, [^.]+\.$/)
})

test('a phase that is reported twice fails', () => {
  const report = reportOf((seen) => seen.capabilities.push(capability(3, 'operational')))
  expect(report.passed).toBe(false)
  expect(report.blockers).toContainEqual({
    gate: 'phase_3',
    status: 'reported_twice',
    reason: 'The service reports this phase more than once.',
  })
})

test('a gate without a phase passes when it has checks and none failed', () => {
  const withAccess = (results: AcceptanceCheck[]) => reportOf((seen) => seen.ran.splice(0, 1, ranOf('access', results)))
  expect(withAccess([good]).passed).toBe(true)
  expect(withAccess([bad]).blockers).toContainEqual({
    gate: 'access',
    status: 'failed',
    reason: 'it holds: It was not.',
  })
  expect(withAccess([]).blockers).toContainEqual(expect.objectContaining({ gate: 'access', status: 'not_checked' }))
  expect([withAccess([bad]).passed, withAccess([]).passed]).toEqual([false, false])
})

test('a failure in the capacity smoke test: not passed', () => {
  const report = reportOf(undefined, { smoke: { ...smoke, passed: false } })
  expect(report.passed).toBe(false)
  expect(report.blockers).toContainEqual(expect.objectContaining({ gate: 'capacity_smoke', status: 'failed' }))
})

test('a limit of every run is a blocker and does not fail the report', () => {
  const notShown = (report: ReturnType<typeof reportOf>) =>
    report.blockers.filter(({ status }) => status === 'not_shown').map(({ gate }) => gate)
  expect(notShown(reportOf())).toEqual(['off_host_backup', 'image_scan', 'tls'])
  expect(
    notShown(reportOf(undefined, { run: { ...run, image_digest: null }, webUrl: 'https://prospects.example' })),
  ).toEqual(['off_host_backup', 'image_scan', 'container_stack'])
})

test('limitations follow from what ran', () => {
  const text = (report: ReturnType<typeof reportOf>) => report.limitations.join('\n')
  expect(text(reportOf())).toMatch(/not the web.*No resolver.*No model.*judgements.*No adapter was loaded/s)
  expect(text(withPhase(13, 'operational', [good]))).not.toContain('No model')
  expect(text(withPhase(7, 'contract_only', []))).not.toContain('No resolver')
  const adapters = { file: { sha256: 'a'.repeat(64) }, items: [{ id: 'dns', version: '0.1.0' }] }
  const loaded = reportOf(undefined, { run: { ...run, adapters } })
  expect(text(loaded)).toContain('dns 0.1.0')
  expect(text(loaded)).not.toContain('no connection to the outside is opened')
  expect(loaded.checks.run.adapters).toEqual(adapters)
})

test('the checklist says for each item whether the run shows it', () => {
  const statusesOf = (report: ReturnType<typeof reportOf>) => report.checks.checklist.map(({ status }) => status)
  expect(statusesOf(reportOf())).toEqual([
    ...['not_shown', 'not_shown', 'not_shown', 'not_shown'],
    ...['shown', 'not_shown', 'shown'],
  ])
  const fixture = { ...good, name: 'fixtures of official sites: labels' }
  expect(statusesOf(withPhase(9, 'contract_only', [fixture]))[5]).toBe('shown')
  expect(statusesOf(withPhase(9, 'contract_only', [fixture, { ...fixture, passed: false }]))[5]).toBe('not_shown')
  expect(statusesOf(withPhase(3, 'operational', [bad]))[4]).toBe('not_shown')
  expect(statusesOf(reportOf(undefined, { run: { ...run, image_digest: null } }))[6]).toBe('not_shown')
})

test('a report matches the schema of the specification', () => {
  expect(schemaFaults(reportOf())).toBeNull()
})
