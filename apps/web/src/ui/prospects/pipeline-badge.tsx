import type { PipelineState } from '@prospect/api-client'
import classes from '../text/marks.module.css'
import { pipelineStateName } from './pipeline-words.ts'

/** Pipeline state with an icon that shows progress, won, lost or set aside without relying on colour. */
export function PipelineBadge({ state }: { state: PipelineState }) {
  return (
    <span className={classes.state}>
      <PipelineIcon state={state} />
      {pipelineStateName(state)}
    </span>
  )
}

const quarters: Partial<Record<PipelineState, number>> = { contacted: 1, qualified: 2, proposal: 3, negotiation: 4 }

/** Icon of a pipeline state. Use it only beside the name of the state. */
export function PipelineIcon({ state }: { state: PipelineState }) {
  return (
    <svg className={classes.sign} data-state={state} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {state === 'new' && (
        <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 2.3" />
      )}
      {quarters[state] !== undefined && (
        <>
          <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <circle
            cx="7"
            cy="7"
            r="1.75"
            fill="none"
            stroke="currentColor"
            strokeWidth="3.5"
            strokeDasharray={`${(quarters[state] / 4) * 11} 11`}
            transform="rotate(-90 7 7)"
          />
        </>
      )}
      {(state === 'won' || state === 'lost' || state === 'paused' || state === 'disqualified') && (
        <>
          <circle cx="7" cy="7" r="6.5" fill="currentColor" />
          <path d={signs[state]} fill="none" stroke="var(--pp-surface)" strokeWidth="1.6" strokeLinecap="round" />
        </>
      )}
    </svg>
  )
}

const signs = {
  won: 'M4.2 7.2 6.2 9.2 9.9 5.2',
  lost: 'M4.9 4.9 9.1 9.1M9.1 4.9 4.9 9.1',
  paused: 'M5.5 4.8V9.2M8.5 4.8V9.2',
  disqualified: 'M4.5 7H9.5',
}
