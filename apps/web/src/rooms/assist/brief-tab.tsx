import type { Brief, BriefSentence, Business } from '@prospect/api-client'
import { getBriefOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { localDays } from '../../ui/text/api-sentence.ts'
import { formatDay } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './assist.module.css'
import { CitedEvidence } from './cited-evidence.tsx'

const sectionTitles: Record<Brief['sections'][number]['key'], string> = {
  do_not_contact: 'Do not contact',
  known: 'Known',
  contradicted: 'Contradicted',
  missing: 'Missing',
  activity: 'Observed and done',
  left_out: 'Left out',
}

/** Shows the brief of a prospect in fixed sentences. Each sentence opens the observations behind it. */
export function BriefTab({ business }: { business: Business }) {
  const read = useQuery(getBriefOptions({ path: { businessId: business.id } }))
  if (read.data === undefined) return <NotLoaded read={read} what="the brief" lines={10} />
  const { label, on, briefVersion, sections } = read.data
  return (
    <div className={classes.tab}>
      <p className={classes.meta}>
        <strong>{label}</strong>, version {briefVersion} · Ages counted on <time dateTime={on}>{formatDay(on)}</time>
      </p>
      {sections.map(({ key, sentences }) => (
        <section key={key} aria-labelledby={`brief-${key}`} className={classes.part}>
          <h2 id={`brief-${key}`}>{sectionTitles[key]}</h2>
          {sentences.length === 0 ? (
            <p className={classes.meta}>None.</p>
          ) : (
            <ul className={classes.sentences}>
              {sentences.map((sentence) => (
                <li key={sentence.id}>
                  <Sentence businessId={business.id} sentence={sentence} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </div>
  )
}

function Sentence({ businessId, sentence }: { businessId: string; sentence: BriefSentence }) {
  const { evidence } = sentence
  const text = localDays(sentence.text)
  const [isOpen, setOpen] = useState(false)
  if (evidence.length === 0) return <Name of={text} />
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name of={text} />
      </summary>
      {isOpen && <CitedEvidence businessId={businessId} evidenceIds={evidence.map(({ evidenceId }) => evidenceId)} />}
    </details>
  )
}
