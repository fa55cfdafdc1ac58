import type { AcceptanceCheck, AcceptanceGate, AcceptanceReport } from '../../rooms/health/health.ts'
import type { Told } from './deployment.checks.ts'
import { type Gate, type SpecifiedPhase, specifiedPhases } from './gates.ts'

export type Ran = { gate: Gate; results: AcceptanceCheck[] }
type Run = AcceptanceReport['checks']['run']
type Blocker = AcceptanceReport['blockers'][number]

const built = 'operational'

/** What a run on one machine over plain HTTP cannot show, whatever its checks say. */
const limitations = [
  'Checks look at a running service from outside, by examples: they show that each rule holds where it was tried, and prove no absence of faults.',
  'One process, one disk: nothing here shows several servers, a failover or a loss of power.',
  'The capacity smoke says that several connections at once are answered; its figures belong to this machine and its load, and judge no duration.',
  'That no connection is opened to outside is shown by the tests of the repository, not by this run.',
  'Phases that are contract only in the specification are listed as blockers, and passed does not hang on them.',
]

/**
 * The report of a run. `passed` is computed: every gate that the specification has running is told as operational by the service, has at
 * least one check and none that failed, and so do the gates without a phase; and the capacity smoke met no failure. See docs/decisions/acceptance-report.md.
 */
export function assembleReport(seen: {
  run: Run
  /** as `GET /health/detail` lists them */
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

/** Operational, or no more than the specification has running of the phase. */
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
      found.push({ gate, status, reason: told.get(phase)?.reason ?? 'The service does not tell of this phase.' })
    } else if (results.length === 0) {
      found.push({
        gate,
        status: 'not_checked',
        reason: 'It is told as operational, and this acceptance has no check of it.',
      })
    }
    return found
  })
}

function smokeBlockers({ passed, loads }: AcceptanceReport['capacity_smoke']): Blocker[] {
  if (passed) return []
  const failures = Object.entries(loads).map(([name, { failures = 0 }]) => `${failures} of ${name}`)
  return [{ gate: 'capacity_smoke', status: 'failed', reason: `Requests were not answered: ${failures.join(', ')}.` }]
}

function notShownHere({ image_digest }: Run, webUrl: string): Blocker[] {
  const status = 'not_shown'
  const blockers = [
    {
      gate: 'off_host_backup',
      status,
      reason: 'The backup of this run stayed on this host; keep one elsewhere, and drill from it.',
    },
    { gate: 'image_scan', status, reason: 'Images are scanned by the operator, with a scanner of theirs.' },
  ]
  if (image_digest === null) {
    blockers.push({
      gate: 'container_stack',
      status,
      reason: 'The run was against processes, not against images; script/test-stack shows the stack.',
    })
  }
  if (!webUrl.startsWith('https:')) {
    blockers.push({
      gate: 'tls',
      status,
      reason: 'The run was over plain HTTP, which cannot show TLS or the Secure cookie.',
    })
  }
  return blockers
}
