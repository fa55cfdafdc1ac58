import type { Draft } from '@prospect/api-client'
import { Name } from '../../ui/text/name.tsx'
import classes from './drafts.module.css'
import { wordDiff } from './word-diff.ts'

/** Label of a text that started as a suggestion; nothing for other texts. */
export function OriginLabel({ label }: Pick<Draft, 'label'>) {
  if (label === null) return null
  return (
    <p>
      <strong>{label}</strong>
    </p>
  )
}

/** Text that a copy would contain: merge fields replaced, markers removed. */
export function RenderedText({ rendered }: { rendered: Draft['rendered'] }) {
  if (rendered === null)
    return <p className={classes.soft}>This prospect is marked do not contact, so you cannot see its values.</p>
  return (
    <>
      {rendered.subject !== null && (
        <p>
          <b>Subject:</b> <Name of={rendered.subject} />
        </p>
      )}
      <div className={classes.text}>{rendered.text}</div>
    </>
  )
}

/** Cited observations with their quotes, and acknowledged ones with the reason. */
export function Quotes({ draft: { citations, noCitationReason, acknowledgements } }: { draft: Draft }) {
  if (citations.length === 0)
    return <p>{noCitationReason === null ? 'No sources.' : `No sources, because: ${noCitationReason}`}</p>
  return (
    <ul className={classes.rows} aria-label="Citations">
      {citations.map(({ marker, evidenceId, quote }) => {
        const low = acknowledgements.find((one) => one.evidenceId === evidenceId)
        return (
          <li key={marker}>
            [^{marker}] {quote === null ? 'without a quote' : <q>{quote}</q>}
            {low !== undefined && (
              <>
                {' · Low confidence accepted: '}
                <Name of={low.reason} />
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Word-by-word differences of two texts. Additions and removals differ by more than colour. */
export function Difference({ before, after }: { before: string; after: string }) {
  const parts = wordDiff(before, after)
  if (parts.every(({ kind }) => kind === 'same')) return <p className={classes.soft}>The texts are the same.</p>
  return (
    <div className={classes.text}>
      {parts.map(({ kind, text }, at) => {
        const key = `${at} ${kind}`
        if (kind === 'same') return <span key={key}>{text}</span>
        return kind === 'added' ? (
          <ins key={key} className={classes.added}>
            {text}
          </ins>
        ) : (
          <del key={key} className={classes.removed}>
            {text}
          </del>
        )
      })}
    </div>
  )
}
