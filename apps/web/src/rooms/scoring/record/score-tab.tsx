import type { Business, ExplainedScore, ScoreChange, ScoredGate, ScoredGroup, ScoredRule } from '@prospect/api-client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCan } from '../../../ui/api/session.ts'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { Empty, NoPermission } from '../../../ui/layout/states.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import {
  causeWords,
  eligibilityWords,
  evidenceStateWords,
  pointWords,
  priorityWords,
  rangeWords,
  resultOf,
  resultWords,
  scoreReasonWords,
} from '../score-words.ts'
import classes from '../scoring.module.css'
import { activeScoringQuery, scoreHistoryQuery, scoreQuery } from '../scoring.queries.ts'

/** The score of a record, the rules and evidence behind it, what would change it, and how it came to be. */
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

const useBands = () => useQuery(activeScoringQuery).data?.active?.bands ?? []

function Explanation({ businessId }: { businessId: string }) {
  const read = useQuery(scoreQuery(businessId))
  if (read.data === undefined) return <NotLoaded read={read} what="the score" lines={8} />
  const score = read.data
  return (
    <>
      <Result score={score} />
      {score.rules.some(({ wouldChange }) => wouldChange !== null) && <WouldChange rules={score.rules} />}
      {score.gates.length > 0 && <Gates gates={score.gates} />}
      {score.groups.map((group) => (
        <Group key={group.id} group={group} rules={score.rules.filter(({ groupId }) => groupId === group.id)} />
      ))}
    </>
  )
}

function Result({ score }: { score: ExplainedScore }) {
  const active = useQuery(activeScoringQuery).data?.active ?? null
  const { low, high, eligibility, completeness, scoredAt, next } = score
  const priority = priorityWords(useBands(), score)
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
      {score.reason !== null && (
        <p className={classes.reason} data-status={score.status}>
          {scoreReasonWords[score.reason]}
        </p>
      )}
      {low !== null && (
        <ul className={classes.facts} aria-label="What the score says">
          {priority !== null && <li>{priority}</li>}
          {eligibility !== null && <li>{eligibilityWords[eligibility]}</li>}
          {completeness !== null && <li>{formatNumber(completeness * 100)} % of the weight is decided</li>}
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
              Time alone may change it on <DateTime at={next.goesStaleAt} as="date" />
            </li>
          )}
        </ul>
      )}
      {score.differs && (
        <p className={classes.reason}>The stored score differed from its rules. It is computed again.</p>
      )}
    </section>
  )
}

function WouldChange({ rules }: { rules: readonly ScoredRule[] }) {
  return (
    <section aria-labelledby="score-would-change">
      <h2 id="score-would-change">What would raise it</h2>
      <ul className={classes.list}>
        {rules.map(
          ({ id, wouldChange }) =>
            wouldChange !== null && (
              <li key={id}>
                <p>{wouldChange.words}</p>
              </li>
            ),
        )}
      </ul>
    </section>
  )
}

function Gates({ gates }: { gates: readonly ScoredGate[] }) {
  return (
    <section aria-labelledby="score-gates">
      <h2 id="score-gates">Gates</h2>
      <ul className={classes.list}>
        {gates.map((gate) => (
          <Part key={gate.id} part={gate} mark={gateMark(gate)}>
            {gate.passes === null && <p className={classes.soft}>{gate.stateWords}</p>}
          </Part>
        ))}
      </ul>
    </section>
  )
}

function gateMark({ passes }: ScoredGate): string {
  if (passes === null) return 'Undecided'
  return passes ? 'Passes' : 'Does not pass'
}

function Group({ group, rules }: { group: ScoredGroup; rules: readonly ScoredRule[] }) {
  const id = `score-group-${group.id}`
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.groupName}>
        <Name of={group.name} />
        <span>
          {pointWords(group.low, group.high)} points
          {group.isLimited && `, limited from ${pointWords(group.rawLow, group.rawHigh)}`}
        </span>
      </h2>
      <ul className={classes.list}>
        {rules.map((rule) => (
          <Part key={rule.id} part={rule} mark={pointWords(rule.low, rule.high)}>
            <p className={classes.soft}>{resultWords(rule.holds, rule.stateWords)}</p>
            {rule.goesStaleAt !== null && (
              <p className={classes.soft}>
                Until <DateTime at={rule.goesStaleAt} as="date" />, unless the evidence changes.
              </p>
            )}
          </Part>
        ))}
      </ul>
    </section>
  )
}

type PartProps = { part: Pick<ScoredRule, 'words' | 'state' | 'restsOn'>; mark: string; children: ReactNode }

function Part({ part, mark, children }: PartProps) {
  return (
    <li>
      <p className={classes.line}>
        <span>
          <Name of={part.words} />
        </span>
        <strong>{mark}</strong>
      </p>
      {children}
      <p className={classes.meta}>
        <span>Evidence: {evidenceStateWords[part.state]}</span>
        {part.restsOn.map(({ evidenceId, source, capturedAt, agrees }) => (
          <span key={evidenceId}>
            <Name of={source} />, <DateTime at={capturedAt} as="date" />
            {!agrees && ', contradicts'}
          </span>
        ))}
      </p>
    </li>
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
          When priority or eligibility of this prospect changes, the change stands here with its cause.
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
  const bands = useBands()
  const from = change.from === null ? 'no score' : resultOf(bands, change.from)
  const to = change.to === null ? 'the result of that run' : resultOf(bands, change.to)
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
