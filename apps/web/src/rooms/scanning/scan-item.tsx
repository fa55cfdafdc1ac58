import type { Scan, ScanPage } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { freshnessWords, stateWords } from './scan-search.ts'
import {
  answerWords,
  classWords,
  knownRepeats,
  reasonText,
  repeatedFacts,
  repeatWords,
  roleWords,
  suspicionWords,
} from './scan-words.ts'
import classes from './scanning.module.css'

type Props = {
  scan: Scan
  /** Link to the prospect; undefined on the prospect's own page. */
  about?: ReactNode
  /** Action on the scan. */
  control?: ReactNode
  /** Action on a page of the scan. */
  action?: ((page: ScanPage, position: number) => ReactNode) | undefined
}

/** One scan: its state, its pages, and the pages that were not read with the reasons. */
export function ScanItem({ scan, about, control, action }: Props) {
  const { pages, reasons } = scan
  return (
    <li>
      <div>
        <b>{scan.url === null ? 'Contents were deleted' : <Name of={scan.url} />}</b> {about}
        <p className={classes.meta}>
          {stateWords[scan.state]} · {freshnessWords[scan.freshness]} ·{' '}
          {scan.suppliedBy === null ? (
            'fetched'
          ) : (
            <>
              Supplied by <Name of={scan.suppliedBy.name} />
            </>
          )}
          {scan.observedAt !== null && (
            <>
              , observed <DateTime at={scan.observedAt} as="dateTime" />
            </>
          )}
        </p>
        <Reasons of={reasons} />
        {pages.map((page, position) => (
          <PageFacts key={`${page.role} ${page.url}`} page={page}>
            {action?.(page, position)}
          </PageFacts>
        ))}
      </div>
      {control}
    </li>
  )
}

/** What was read of the text, so that a person recognises an empty or a wrong reading. */
function TextRead({ page: { facts, opening } }: { page: ScanPage }) {
  if (facts === null) return null
  if (facts.counts === null)
    return <p className={classes.empty}>The text could not be read. Nothing about it is known.</p>
  if (facts.counts.text === 0)
    return (
      <p className={classes.empty}>
        No text was read. If the page shows text in a browser, save it there as “Webpage, HTML only”, or paste its text.
      </p>
    )
  if (opening === null) return null
  return (
    <blockquote className={classes.opening} aria-label="Beginning of the text">
      {opening}
      {facts.counts.text > opening.length && '…'}
    </blockquote>
  )
}

function Reasons({ of }: { of: Scan['reasons'] }) {
  if (of.length === 0) return null
  return (
    <ul className={classes.reasons} aria-label="Parts that were not read, or are uncertain">
      {of.map((reason) => (
        <li key={reason}>{reasonText(reason)}</li>
      ))}
    </ul>
  )
}

function PageFacts({ page, children }: { page: ScanPage; children: ReactNode }) {
  const { facts, hops, suspected } = page
  const words = [classWords[page.class], ...suspected.map((one) => suspicionWords[one])]
  return (
    <section className={classes.page} aria-label={roleWords[page.role]}>
      <p>
        <b>{roleWords[page.role]}</b> · {words.join(' · ')}{' '}
        <span className={classes.meta}>A scan proves nothing about the business.</span>
      </p>
      {hops.length > 0 && (
        <ol className={classes.hops} aria-label="Redirect chain">
          {hops.map((hop) => (
            <li key={hop.url}>
              {hop.status ?? 'No answer'} <Name of={hop.url} />
              {hop.address !== null && ` at ${hop.address}`}
              {hop.reason !== null && `: ${reasonText(hop.reason)}`}
            </li>
          ))}
        </ol>
      )}
      {facts !== null && (
        <>
          {facts.title !== null && (
            <p>
              Title: <Name of={facts.title} />
            </p>
          )}
          <p className={classes.meta}>
            Matches the record:{' '}
            {knownRepeats(page).length === 0
              ? answerWords.not_known
              : repeatedFacts.map((name) => `${repeatWords[name]}: ${answerWords[facts.repeats[name]]}`).join(' · ')}
          </p>
          <TextRead page={page} />
          {facts.counts !== null && (
            <p className={classes.meta}>
              {countWords(facts.counts.text, 'character', 'characters')},{' '}
              {countWords(facts.counts.links, 'link', 'links')}, {countWords(facts.counts.forms, 'form', 'forms')},{' '}
              {countWords(facts.counts.scripts, 'script', 'scripts')}
            </p>
          )}
        </>
      )}
      {children}
    </section>
  )
}
