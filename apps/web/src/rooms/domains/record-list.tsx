import type { DnsObservation } from '@prospect/api-client'
import { recordLines } from './domain-words.ts'
import classes from './domains.module.css'

/** Records of a DNS answer: the raw text, and what it means in words if its form is known. */
export function RecordList({ of }: { of: DnsObservation['records'] }) {
  if (of.length === 0) return null
  return (
    <ul aria-label="Records">
      {recordLines(of).map(({ line, words }) => (
        <li key={line}>
          {line}
          {words !== null && <p className={classes.soft}>{words}</p>}
        </li>
      ))}
    </ul>
  )
}
