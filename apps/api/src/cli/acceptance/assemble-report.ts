import type { CapabilityReport } from '../../acceptance/capabilities.ts'
import { type Gate, idOf, type SpecifiedPhase, specifiedPhases } from '../../acceptance/gates.ts'
import type { AcceptanceCheck, AcceptanceGate, AcceptanceReport } from '../../rooms/health/health.ts'
import { checklistOf, type Seen } from './checklist.ts'
import { limitationsOf } from './limitations.ts'

export type Ran = { gate: Gate; results: AcceptanceCheck[] }
type Run = AcceptanceReport['checks']['run']
type Blocker = AcceptanceReport['blockers'][number]

const OPERATIONAL = 'operational'

/**
 * Assembles the report of a run. A gate passes when it has at least one check and no failed check, and the service reports the status of its phase that the
 * specification expects; a gate without a phase has no status. `passed` is true when every gate passed and the capacity smoke test had no failure. See
 * docs/acceptance.md.
 */
export function assembleReport({
  run,
  ran,
  capabilities,
  smoke,
  webUrl,
}: {
  run: Run
  ran: readonly Ran[]
  /** as `GET /capabilities` lists them */
  capabilities: readonly CapabilityReport[]
  smoke: AcceptanceReport['capacity_smoke']
  webUrl: string
}): AcceptanceReport {
  const gates = gatesOf(ran, capabilities)
  const seen: Seen = { run, gates }
  return {
    report: 'phase17-final-acceptance',
    version: 1,
    scope: 'local-repository-acceptance',
    passed: smoke.passed && Object.values(gates).every(({ passed }) => passed),
    checks: { run, checklist: checklistOf(seen), gates },
    capacity_smoke: smoke,
    blockers: [...blockersOf(gates, ran, capabilities), ...smokeBlockers(smoke), ...notShownHere(run, webUrl)],
    limitations: limitationsOf(seen),
  }
}

function gatesOf(ran: readonly Ran[], capabilities: readonly CapabilityReport[]): Record<string, AcceptanceGate> {
  const gates: Record<string, AcceptanceGate> = {}
  for (const { gate, results } of ran)
    if (gate.phase === null)
      gates[idOf(gate)] = { title: gate.title, phase: null, status: 'built', passed: allPassed(results), results }
  for (const specified of specifiedPhases) {
    const { phase } = specified
    const reported = capabilities.filter((one) => one.phase === phase)
    const results = ran.flatMap(({ gate, results }) => (gate.phase === phase ? results : []))
    const status = statusOf(reported)
    const passed = isExpected(specified, status) && allPassed(results)
    gates[`phase_${phase}`] = { title: reported[0]?.area ?? `Phase ${phase}`, phase, status, passed, results }
  }
  return gates
}

function allPassed(results: readonly AcceptanceCheck[]): boolean {
  return results.length > 0 && results.every(({ passed }) => passed)
}

/** The reported status; a phase that is reported twice or not at all has a status that no phase is expected to have. */
function statusOf(reported: readonly CapabilityReport[]): string {
  const [first, second] = reported
  if (first === undefined) return 'not_reported'
  return second === undefined ? first.status : 'reported_twice'
}

function isExpected({ expected }: SpecifiedPhase, status: string): boolean {
  return status === OPERATIONAL || status === expected
}

function blockersOf(
  gates: Record<string, AcceptanceGate>,
  ran: readonly Ran[],
  capabilities: readonly CapabilityReport[],
): Blocker[] {
  const failures = Object.entries(gates).flatMap(([gate, { results }]) =>
    results.flatMap(({ name, passed, found }) =>
      passed ? [] : [{ gate, status: 'failed', reason: `${name}: ${found}` }],
    ),
  )
  const unchecked = Object.entries(gates).flatMap(([gate, { phase, results }]) =>
    phase === null && results.length === 0 ? [{ gate, status: 'not_checked', reason: NOT_CHECKED }] : [],
  )
  const phases = specifiedPhases.flatMap((specified) => {
    const gate = `phase_${specified.phase}`
    const { status = '', passed = false, results = [] } = gates[gate] ?? {}
    if (!isExpected(specified, status))
      return [{ gate, status, reason: unexpectedReason(status, specified, capabilities) }]
    if (results.length === 0) return [{ gate, status: 'not_checked', reason: NOT_CHECKED }]
    if (!passed || status === OPERATIONAL || specified.expected === OPERATIONAL) return []
    return [{ gate, status, reason: reasonOfLiveClaim(ran, specified.phase) }]
  })
  return [...failures, ...unchecked, ...phases]
}

/** Returns three sentences: what was shown, what was not shown, and what must be done before a live claim. */
function reasonOfLiveClaim(ran: readonly Ran[], phase: SpecifiedPhase['phase']): string {
  for (const { gate } of ran) {
    if (gate.phase !== phase || !('liveClaim' in gate) || gate.liveClaim === undefined) continue
    const { shown, notShown, toGoLive } = gate.liveClaim
    return `${shown} ${notShown} ${toGoLive}`
  }
  throw new Error(`No room declares what phase ${phase} does not show.`)
}

const NOT_CHECKED = 'This acceptance has no check for it.'

function unexpectedReason(
  status: string,
  { phase, expected }: SpecifiedPhase,
  capabilities: readonly CapabilityReport[],
): string {
  if (status === 'not_reported') return 'The service does not report this phase.'
  if (status === 'reported_twice') return 'The service reports this phase more than once.'
  const reason = capabilities.find((one) => one.phase === phase)?.reason ?? ''
  return `The specification expects ${expected}. ${reason}`
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
