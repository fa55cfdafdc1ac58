import { Button } from '@mantine/core'
import type { Business, ExplainedScore, ScoreChange } from '@prospect/api-client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCan } from '../../../ui/api/session.ts'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { Empty, NoPermission } from '../../../ui/layout/states.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { activeScoringQuery, useScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { openTerms } from '../../../ui/prospects/open-terms.tsx'
import { rangeWords } from '../../../ui/prospects/score-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import {
  causeWords,
  certaintyWords,
  eligibilityPhrase,
  priorityWords,
  resultOf,
  scoreReasonWords,
} from '../score-words.ts'
import classes from '../scoring.module.css'
import { scoreHistoryQuery, scoreQuery } from '../scoring.queries.ts'
import { ExplainedParts } from './explained-parts.tsx'

/** Score of a record, its rules and evidence, what would change it, and its history. */
export function ScoreTab({ business }: { business: Business }) {
  const canRead = useCan('scoring.read')
  if (!canRead) return <NoPermission what="scores" />
  return (
    <div className={classes.tab}>
      <Explanation businessId={business.id} />
      <section aria-labelledby="score-history">
        <h2 id="score-history">Changes of priority and eligibility</h2>
        <History businessId={business.id} />
      </section>
    </div>
  )
}

function Explanation({ businessId }: { businessId: string }) {
  const read = useQuery(scoreQuery(businessId))
  if (read.data === undefined) return <NotLoaded read={read} what="the score" lines={8} />
  const score = read.data
  return (
    <>
      <Result score={score} />
      <ExplainedParts score={score} />
    </>
  )
}

function Result({ score }: { score: ExplainedScore }) {
  const active = useQuery(activeScoringQuery).data?.active ?? null
  const { low, high, eligibility, completeness, scoredAt, next } = score
  const priority = priorityWords(useScoreBands(), score)
  return (
    <section aria-labelledby="score-now">
      <h2 id="score-now">Score</h2>
      {low === null || high === null ? (
        <p className={classes.none}>{score.status === 'blocked' ? 'Blocked' : 'Not scored'}</p>
      ) : (
        <p className={classes.score}>
          {rangeWords(low, high)} <span>of 100</span>
        </p>
      )}
      {low !== null && high !== null && <p className={classes.soft}>{certaintyWords({ ...score, low, high })}</p>}
      <Button variant="subtle" size="compact-sm" onClick={openTerms}>
        What a score means
      </Button>
      {score.reason !== null && (
        <p className={classes.reason} data-status={score.status}>
          {scoreReasonWords[score.reason]}
        </p>
      )}
      {low !== null && (
        <ul className={classes.facts} aria-label="Score summary">
          {priority !== null && <li>{priority}</li>}
          {eligibility !== null && <li>{eligibilityPhrase(eligibility)}</li>}
          {completeness !== null && <li>Based on {formatNumber(completeness * 100)} % of the rules, by weight</li>}
          {active !== null && (
            <li>
              By version {active.version} of <Name of={active.ruleSet.name} />
            </li>
          )}
          {scoredAt !== null && (
            <li>
              Computed <DateTime at={scoredAt} />
            </li>
          )}
          {next !== null && (
            <li>
              May change because of its age on <DateTime at={next.goesStaleAt} as="date" />
            </li>
          )}
        </ul>
      )}
      {score.differs && (
        <p className={classes.reason}>
          The stored score did not match its rules, so the score is being computed again.
        </p>
      )}
    </section>
  )
}

function History({ businessId }: { businessId: string }) {
  const list = useInfiniteQuery(scoreHistoryQuery(businessId))
  return (
    <ListBody
      list={list}
      data={list.data}
      noun="changes"
      lines={3}
      empty={
        <Empty title="No changes yet">
          When the priority or eligibility changes, the change and its cause appear here.
        </Empty>
      }
    >
      {(items) => (
        <ol className={classes.list} aria-label="Changes, newest first">
          {items.map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </ol>
      )}
    </ListBody>
  )
}

function Change({ change }: { change: ScoreChange }) {
  const bands = useScoreBands()
  const from = change.from === null ? 'no score' : resultOf(bands, change.from)
  const to = change.to === null ? 'the result of that recalculation' : resultOf(bands, change.to)
  return (
    <li>
      <p>
        From {from} to {to}
      </p>
      <p className={classes.meta}>
        <span>{causeWords[change.cause]}</span>
        <span>Version {change.version}</span>
        <DateTime at={change.at} />
        {change.reason !== null && (
          <span>
            <GivenReason of={change.reason} isQuoted />
          </span>
        )}
      </p>
    </li>
  )
}
