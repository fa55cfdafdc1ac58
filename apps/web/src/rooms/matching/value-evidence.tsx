import type { Fact } from '@prospect/api-client'
import { ClaimValue } from '../../ui/text/claim-value.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DayOrTime } from '../../ui/text/day-or-time.tsx'
import { formatNumber, phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './compare.module.css'
import { standingText } from './matching-words.ts'

type Props = { what: string; value: string; fact: Fact | undefined; isKnown: boolean }

/** Number of observations that agree with a value, expandable to their texts. */
export function ValueEvidence({ what, value, fact, isKnown }: Props) {
  // Evidence that is still loading or not readable must not appear as "No evidence".
  if (!isKnown) return null
  if (fact === undefined || fact.evidence.length === 0)
    return <small className={classes.standing}>{standingText(fact)}</small>
  const all = fact.supporting + fact.contradicting + fact.undecided
  return (
    <details className={classes.standing} data-standing={fact.standing}>
      <summary>
        {standingText(fact)}
        <span className="pp-visually-hidden">
          : {what} {phoneText(value)}
        </span>
      </summary>
      <ul>
        {fact.evidence.map((one) => (
          <li key={one.id}>
            <ClaimValue claim={one} value={fact.value} />
            {' · '}
            <Name of={one.sourceLabel ?? one.sourceReference ?? 'unnamed source'} /> · {one.confidence} confidence ·{' '}
            {one.observedAt === null ? (
              <>
                captured <DayOrTime at={one.capturedAt} on={one.capturedOn} as="date" />
              </>
            ) : (
              <>
                observed <DayOrTime at={one.observedAt} on={one.observedOn} as="date" />
              </>
            )}
          </li>
        ))}
        {all > fact.evidence.length && (
          <li>
            These are the newest {formatNumber(fact.evidence.length)} of{' '}
            {countWords(all, 'observation', 'observations')}.
          </li>
        )}
      </ul>
    </details>
  )
}
