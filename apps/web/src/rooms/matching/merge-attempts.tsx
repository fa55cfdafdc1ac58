import type { MergeAttempt } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import compare from './compare.module.css'
import classes from './matching.module.css'
import { attemptsQuery } from './matching.queries.ts'
import pairs from './pairs.module.css'

const kinds = { merge: 'Merge', reversal: 'Reversal' } as const
const outcomes: Record<MergeAttempt['status'], string> = {
  begun: 'Begun; not ended yet',
  done: 'Done',
  refused: 'Refused: nothing was changed',
  stopped: 'Stopped: nothing was changed',
}

/** What was begun, and what became of it: a merge that failed changed nothing, is told here, and is not tried again by itself. */
export function MergeAttempts() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={compare.more} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Every attempt, with those that were refused or stopped</summary>
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
      empty={<p className={classes.soft}>Nothing was begun yet.</p>}
    >
      {(items) => (
        <table className={pairs.table} aria-label="Attempts, newest first">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">What became of it</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {items.map((attempt) => (
              <AttemptRow key={attempt.id} attempt={attempt} />
            ))}
          </tbody>
        </table>
      )}
    </ListBody>
  )
}

function AttemptRow({
  attempt: { kind, survivor, loser, status, failure, mergeId, begunAt, begunBy },
}: {
  attempt: MergeAttempt
}) {
  return (
    <tr>
      <td className={pairs.reason}>
        {kinds[kind]}: <ProspectName {...loser} /> into <ProspectName {...survivor} />
        {mergeId !== null && (
          <span className={pairs.soft}>
            <Link to="/duplicates/merges/$mergeId" params={{ mergeId }}>
              Open the merge
            </Link>
          </span>
        )}
      </td>
      <td className={pairs.reason}>
        {outcomes[status]}
        {failure !== null && <span className={pairs.soft}>{failure}</span>}
      </td>
      <td className={pairs.when}>
        <DateTime at={begunAt} as="dateTime" />
        <span className={pairs.soft}>
          by <Name of={begunBy.name} />
        </span>
      </td>
    </tr>
  )
}
