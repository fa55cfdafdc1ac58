import type { ActiveScoring } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { activeScoringQuery } from '../../../ui/prospects/active-scoring.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { Distribution } from '../previews/distribution.tsx'
import classes from '../scoring.module.css'

/** Interval at which scores that wait are read again. Scoring them writes no change that this page is notified of. */
const WAITING_MS = 5_000

/** The version whose scores are active, and their distribution. */
export function ActiveScores() {
  const read = useQuery({
    ...activeScoringQuery,
    refetchInterval: ({ state }) => (state.data?.active?.isCurrent === false ? WAITING_MS : false),
  })
  if (read.data === undefined) return <NotLoaded read={read} what="the active scores" lines={4} />
  const { active } = read.data
  if (active === null)
    return (
      <Empty title="No scores are active">
        To see scores in lists, create a rule set, have a second person approve a version, recalculate, and activate the
        scores.
      </Empty>
    )
  return <Active active={active} />
}

function Active({ active }: { active: NonNullable<ActiveScoring['active']> }) {
  const { ruleSet, version, asOf, activatedAt, distribution } = active
  return (
    <div className={classes.stack}>
      <p>
        <Link
          to="/scoring/rule-sets/$ruleSetId/versions/$version"
          params={{ ruleSetId: ruleSet.id, version: String(version) }}
        >
          Version {version} of <Name of={ruleSet.name} />
        </Link>{' '}
        <span className={classes.note}>
          scored {countWords(distribution.total, 'prospect', 'prospects')}. Computed{' '}
          <DateTime at={asOf} as="dateTime" />, activated <DateTime at={activatedAt} as="dateTime" />.
        </span>
      </p>
      {active.needsRecalculation ? (
        <p className={classes.warning}>
          The last update of the app changed how scores are computed. The scores of changed prospects are out of date
          until you recalculate.
        </p>
      ) : (
        active.waiting !== null && <Waiting waiting={active.waiting} />
      )}
      <Distribution after={distribution} />
    </div>
  )
}

function Waiting({
  waiting: { count, isExact, since },
}: {
  waiting: NonNullable<NonNullable<ActiveScoring['active']>['waiting']>
}) {
  return (
    <p className={classes.note} role="status">
      {isExact ? '' : 'At least '}
      {countWords(count, 'prospect waits', 'prospects wait')} to be scored again
      {since !== null && (
        <>
          , since <DateTime at={since} as="dateTime" />
        </>
      )}
      .
    </p>
  )
}
