import type { ExplainedScore, ScoredGate, ScoredGroup, ScoredRule } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { localSentence } from '../../../ui/text/api-sentence.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { evidenceStateWords, pointWords, resultWords } from '../score-words.ts'
import classes from '../scoring.module.css'

/** Explanation of a score: changes that would raise it, its gates, and the contribution of each rule with its evidence. */
export function ExplainedParts({ score }: { score: Pick<ExplainedScore, 'rules' | 'gates' | 'groups'> }) {
  return (
    <>
      {score.rules.some(({ wouldChange }) => wouldChange !== null) && <WouldChange rules={score.rules} />}
      {score.gates.length > 0 && <Gates gates={score.gates} />}
      {score.groups.map((group) => (
        <Group key={group.id} group={group} rules={score.rules.filter(({ groupId }) => groupId === group.id)} />
      ))}
    </>
  )
}

function WouldChange({ rules }: { rules: readonly ScoredRule[] }) {
  return (
    <section aria-labelledby="score-would-change">
      <h2 id="score-would-change">Possible improvements</h2>
      <ul className={classes.list}>
        {rules.map(
          ({ id, wouldChange }) =>
            wouldChange !== null && (
              <li key={id}>
                <p>{localSentence(wouldChange.words)}</p>
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
      <h2 id="score-gates">Requirements</h2>
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
  if (passes === null) return 'Cannot tell yet'
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
          <Name of={localSentence(part.words)} />
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
