import type { Draft } from '@prospect/api-client'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { stateWords } from './draft-words.ts'
import classes from './drafts.module.css'

/** State of a draft as a word, with an icon if the state needs attention. */
export function StateMark({ state }: { state: Draft['state'] }) {
  return (
    <span className={classes.status} data-state={state}>
      {state === 'needs_review' && <IconAlertTriangle size={13} stroke={2} aria-hidden />}
      {state === 'approved' && <IconCheck size={13} stroke={2} aria-hidden />}
      {stateWords[state]}
    </span>
  )
}
