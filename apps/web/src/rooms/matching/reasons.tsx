import type { MatchReason, MatchSuggestion } from '@prospect/api-client'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { Name } from '../../ui/text/name.tsx'
import classes from './compare.module.css'
import { addsNothing, bitsText, percent, reasonText, weightWords } from './matching-words.ts'

/** Reasons for and against a match, by weight, and the computation of the score. */
export function Reasons({ suggestion: { reasons, score } }: { suggestion: MatchSuggestion }) {
  const own = reasons.filter(({ field }) => field !== 'together')
  const weighing = reasons.filter(({ field }) => field === 'together')
  const sum = reasons.reduce((total, { weight }) => total + weight, 0)
  return (
    <section aria-labelledby="pair-reasons">
      <h2 id="pair-reasons" className={classes.part}>
        Why they may match
      </h2>
      <div className={classes.sides}>
        <Side
          title="Suggests the same business"
          reasons={own.filter(({ weight }) => weight > 0 && !addsNothing(weight))}
        />
        <Side
          title="Suggests two businesses"
          reasons={own.filter(({ weight }) => weight < 0 && !addsNothing(weight))}
        />
      </div>
      <details className={classes.more}>
        <summary>How this adds up to {percent(score)}</summary>
        <ul>
          {own
            .filter(({ weight }) => addsNothing(weight))
            .map((reason) => (
              <li key={reason.text}>
                <Name of={reasonText(reason)} />: no effect on this pair
              </li>
            ))}
          {weighing.map(({ text, weight }) => (
            <li key={text}>
              {text} ({bitsText(weight)})
            </li>
          ))}
          <li>
            Total: {bitsText(sum)}. A bit is the unit of this evidence: each bit doubles the odds that both records are
            the same business.
          </li>
        </ul>
      </details>
    </section>
  )
}

function Side({ title, reasons }: { title: string; reasons: MatchReason[] }) {
  return (
    <div>
      <h3>{title}</h3>
      {reasons.length === 0 ? (
        <p className={classes.soft}>No reason</p>
      ) : (
        <ul className={classes.reasons}>
          {reasons.map((reason) => (
            <Reason key={`${reason.field} ${reason.text}`} reason={reason} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Reason({ reason }: { reason: MatchReason }) {
  const Icon = reason.weight > 0 ? IconPlus : IconMinus
  return (
    <li>
      <Icon size={15} stroke={2} aria-hidden />
      <span>
        <Name of={reasonText(reason)} />
      </span>
      <small title={bitsText(reason.weight)}>{weightWords(reason)}</small>
    </li>
  )
}
