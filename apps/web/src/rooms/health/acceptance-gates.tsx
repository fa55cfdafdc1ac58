import type { AcceptanceGate } from '@prospect/api-client'
import { IconCheck, IconChevronRight, IconX } from '@tabler/icons-react'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import classes from './acceptance.module.css'
import { AcceptanceStatus } from './acceptance-status.tsx'

/** Lists each gate with its checks. A gate with a failed check is open. */
export function AcceptanceGates({ gates }: { gates: Record<string, AcceptanceGate> }) {
  return (
    <ul className={classes.gates}>
      {Object.entries(gates).map(([id, gate]) => (
        <li key={id}>
          <details open={gate.results.some(({ passed }) => !passed)}>
            <summary>
              <IconChevronRight size={14} stroke={1.75} className={classes.chevron} aria-hidden />
              <span className={classes.gate}>
                {gate.phase !== null && <span className={classes.phase}>Phase {gate.phase}</span>}
                {gate.title}
              </span>
              <span className={classes.checks}>{summaryOf(gate)}</span>
              <AcceptanceStatus status={statusOf(gate)} />
            </summary>
            {gate.results.length === 0 && <p className={classes.none}>No check covers this phase.</p>}
            <ul className={classes.results}>
              {gate.results.map(({ name, passed, found }) => (
                <li key={name}>
                  <Mark passed={passed} />
                  <div>
                    {name}
                    <div className={classes.found}>{found}</div>
                  </div>
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )
}

/** Status of a gate. A failed check takes precedence over the status that the service reports. */
function statusOf({ status, passed, results }: AcceptanceGate): string {
  if (results.some((result) => !result.passed)) return 'failed'
  if (results.length === 0 && status === 'built') return 'not_checked'
  return status === 'built' && passed ? 'passed' : status
}

function Mark({ passed }: { passed: boolean }) {
  return (
    <span className={classes.mark} data-passed={passed}>
      {passed ? <IconCheck size={16} stroke={2} aria-hidden /> : <IconX size={16} stroke={2} aria-hidden />}
      <span className="pp-visually-hidden">{passed ? 'passed' : 'failed'}</span>
    </span>
  )
}

function summaryOf({ results }: AcceptanceGate): string {
  if (results.length === 0) return 'no checks'
  const passed = results.filter((result) => result.passed).length
  return `${formatNumber(passed)} of ${countWords(results.length, 'check', 'checks')}`
}
