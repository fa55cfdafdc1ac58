import type { DnsCard } from '@prospect/api-client'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { reasonWords, statusWords } from './domain-words.ts'
import classes from './domains.module.css'

type Props = { title: string; doubts: DnsCard['doubts']; answer: NonNullable<DnsCard['readOnly']> }

/** An answer with addresses or an alias. It is shown and cannot be recorded. */
export function ReadOnlyCard({ title, doubts, answer: { status, records, aliases, errorReason } }: Props) {
  return (
    <section className={classes.candidate} aria-label={title}>
      <h2 className={classes.part}>{title}</h2>
      <p>
        <b>{status === null ? 'Status not known' : statusWords[status]}</b>
        {errorReason !== null && ` · ${reasonWords[errorReason]}`}
      </p>
      {aliases.length > 0 && <p>Alias of {aliases.join(', ')}</p>}
      {records.length > 0 && (
        <ul aria-label="Records">
          {[...new Set(records.map(({ value }) => value))].map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      )}
      <ul className={classes.doubts} aria-label="Doubts">
        {doubts.map(({ line, code, message }) => (
          <li key={`${line} ${code}`}>
            Line {formatNumber(line)}: {localSentence(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}
