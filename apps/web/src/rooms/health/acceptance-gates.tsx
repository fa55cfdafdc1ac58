import type { AcceptanceGate } from '@prospect/api-client'
import { IconCheck, IconChevronRight, IconX } from '@tabler/icons-react'
import { formatNumber } from '../../ui/text/format.ts'
import classes from './acceptance.module.css'

/** Each gate with its checks; those where something failed stand open. */
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
              <span className={classes.status} data-failed={gate.results.some(({ passed }) => !passed)}>
                {summaryOf(gate)}
              </span>
            </summary>
            {gate.results.length === 0 && <p className={classes.none}>Nothing of it was tried.</p>}
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

function Mark({ passed }: { passed: boolean }) {
  return (
    <span className={classes.mark} data-passed={passed}>
      {passed ? <IconCheck size={16} stroke={2} aria-hidden /> : <IconX size={16} stroke={2} aria-hidden />}
      <span className="pp-visually-hidden">{passed ? 'passed' : 'failed'}</span>
    </span>
  )
}

function summaryOf({ status, results, required }: AcceptanceGate): string {
  const passed = results.filter((result) => result.passed).length
  const checks =
    results.length === 0 ? 'no checks' : `${formatNumber(passed)} of ${formatNumber(results.length)} checks`
  return [checks, ...(status === 'built' ? [] : [statusWord(status)]), ...(required ? [] : ['not required'])].join(
    ' · ',
  )
}

const statusWords: Record<string, string> = {
  operational: 'operational',
  partial: 'partly built',
  contract_only: 'contract only',
  not_built: 'not built',
  disabled: 'off',
  failed: 'failed',
  not_shown: 'not shown here',
  not_checked: 'not checked',
  not_told: 'not told',
}

export function statusWord(status: string): string {
  return statusWords[status] ?? status
}
