import type { MergeAttempt } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import cells from '../../ui/lists/cells.module.css'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import compare from './compare.module.css'
import classes from './matching.module.css'
import { attemptsQuery } from './matching.queries.ts'

const kinds = { merge: 'Merge', reversal: 'Reversal' } as const
const outcomes: Record<MergeAttempt['status'], string> = {
  begun: 'In progress',
  done: 'Done',
  refused: 'Refused. Nothing changed',
  stopped: 'Stopped. Nothing changed',
}

/** Merge attempts and their outcomes. A failed merge changed nothing and is not retried automatically. */
export function MergeAttempts() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={`${compare.more} ${classes.attempts}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All attempts, including refused and stopped attempts</summary>
      {isOpen && <AttemptList />}
    </details>
  )
}

function AttemptList() {
  const list = useInfiniteQuery(attemptsQuery)
  return (
    <ListBody
      list={list}
      data={list.data}
      noun="attempts"
      lines={3}
      empty={<p className={classes.soft}>No attempts yet.</p>}
    >
      {(items) => (
        <ul aria-label="Attempts, newest first">
          {items.map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} />
          ))}
        </ul>
      )}
    </ListBody>
  )
}

function Attempt({ attempt }: { attempt: MergeAttempt }) {
  const { kind, survivor, loser, status, failure, mergeId, begunAt, begunBy } = attempt
  return (
    <li className={classes.attempt}>
      <span>
        {kinds[kind]}: <ProspectName {...loser} /> into <ProspectName {...survivor} />
        {mergeId !== null && (
          <>
            {' '}
            ·{' '}
            <Link to="/duplicates/merges/$mergeId" params={{ mergeId }}>
              Open merge
            </Link>
          </>
        )}
      </span>
      <span>
        {outcomes[status]}
        {failure !== null && <span className={cells.under}>{failure}</span>}
      </span>
      <span className={cells.under}>
        <DateTime at={begunAt} as="dateTime" /> by <Name of={begunBy.name} />
      </span>
    </li>
  )
}
