import type { AcceptanceCheck, AcceptanceGate, AcceptanceReport } from '../../rooms/health/health.ts'
import type { Told } from './deployment.checks.ts'
import { type Gate, type SpecifiedPhase, specifiedPhases } from './gates.ts'

export type Ran = { gate: Gate; results: AcceptanceCheck[] }
type Run = AcceptanceReport['checks']['run']
type Blocker = AcceptanceReport['blockers'][number]

const built = 'operational'

/** Limits of every run on one machine over plain HTTP. */
const limitations = [
  'Checks test a running service from outside, by examples: they show that each rule holds for the tested cases, and do not prove the absence of faults.',
  'One process, one disk: nothing here shows several servers, a failover or a power loss.',
  'The capacity smoke test shows that several connections are served at once; its figures belong to this machine and its load, and no duration is judged.',
  'Tests of the repository, not this run, show that no connection to the outside is opened.',
  'Phases that are contract only in the specification are listed as blockers and do not affect passed.',
]

/**
 * Assembles the report of a run. `passed` is computed from three conditions: the service reports every required gate as operational; each gate, also
 * one without a phase, has at least one check and no failed check; the capacity smoke test had no failure. See docs/decisions/acceptance-report.md.
 */
export function assembleReport(seen: {
  run: Run
  /** as listed by `GET /health/detail` */
  adapters: NonNullable<AcceptanceReport['checks']['adapters']>
  ran: readonly Ran[]
  told: ReadonlyMap<number, Told>
  smoke: AcceptanceReport['capacity_smoke']
  webUrl: string
}): AcceptanceReport {
  const gates = gatesOf(seen.ran, seen.told)
  return {
    report: 'phase17-final-acceptance',
    version: 1,
    scope: 'local-repository-acceptance',
    passed: seen.smoke.passed && Object.values(gates).every(({ required, passed }) => passed || !required),
    checks: { run: seen.run, adapters: seen.adapters, gates },
    capacity_smoke: seen.smoke,
    blockers: [...blockersOf(gates, seen.told), ...smokeBlockers(seen.smoke), ...notShownHere(seen.run, seen.webUrl)],
    limitations,
  }
}

function gatesOf(ran: readonly Ran[], told: ReadonlyMap<number, Told>): Record<string, AcceptanceGate> {
  const gates: Record<string, AcceptanceGate> = {}
  for (const { gate, results } of ran.filter(({ gate }) => gate.phase === null)) {
    const passed = results.length > 0 && results.every((result) => result.passed)
    gates[gate.id] = { title: gate.title, phase: null, required: true, status: 'built', passed, results }
  }
  for (const specified of specifiedPhases) {
    const { phase, required } = specified
    const { area: title, status } = told.get(phase) ?? { area: `Phase ${phase}`, status: 'not_told' }
    const results = ran.find(({ gate }) => gate.phase === phase)?.results ?? []
    const passed = isAsSpecified(specified, status) && results.length > 0 && results.every((result) => result.passed)
    gates[`phase_${phase}`] = { title, phase, required, status, passed, results }
  }
  return gates
}

/** True for an operational phase, or one with the lower status that the specification requires of it. */
function isAsSpecified({ passesAs }: SpecifiedPhase, status: string): boolean {
  return status === built || status === passesAs
}

function blockersOf(gates: Record<string, AcceptanceGate>, told: ReadonlyMap<number, Told>): Blocker[] {
  return Object.entries(gates).flatMap(([gate, { phase, status, results }]) => {
    const failed = results.filter(({ passed }) => !passed)
    const found: Blocker[] = failed.map(({ name, found }) => ({ gate, status: 'failed', reason: `${name}: ${found}` }))
    if (phase === null) return found
    const specified = specifiedPhases.find((one) => one.phase === phase)
    if (specified === undefined || !isAsSpecified(specified, status) || (status !== built && results.length === 0)) {
      found.push({ gate, status, reason: told.get(phase)?.reason ?? 'The service does not report this phase.' })
    } else if (results.length === 0) {
      found.push({
        gate,
        status: 'not_checked',
        reason: 'The service reports it as operational, but this acceptance has no check for it.',
      })
    }
    return found
  })
}

function smokeBlockers({ passed, loads }: AcceptanceReport['capacity_smoke']): Blocker[] {
  if (passed) return []
  const failures = Object.entries(loads).map(([name, { failures = 0 }]) => `${failures} of ${name}`)
  return [{ gate: 'capacity_smoke', status: 'failed', reason: `Requests failed: ${failures.join(', ')}.` }]
}

function notShownHere({ image_digest }: Run, webUrl: string): Blocker[] {
  const status = 'not_shown'
  const blockers = [
    {
      gate: 'off_host_backup',
      status,
      reason: 'The backup of this run stayed on this host; store one elsewhere, and run restore drills from it.',
    },
    { gate: 'image_scan', status, reason: 'Operators scan images with a scanner of their own.' },
  ]
  if (image_digest === null) {
    blockers.push({
      gate: 'container_stack',
      status,
      reason: 'The run tested processes, not images; script/test-stack tests the stack.',
    })
  }
  if (!webUrl.startsWith('https:')) {
    blockers.push({
      gate: 'tls',
      status,
      reason: 'The run used plain HTTP, which cannot show TLS or the Secure cookie.',
    })
  }
  return blockers
}
