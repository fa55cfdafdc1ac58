import type { Domain } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { HIDDEN, statusWords } from './domain-words.ts'
import classes from './domains.module.css'
import { observationsOfNameQuery } from './domains.queries.ts'
import { ObservationCard } from './observation-card.tsx'

type OtherName = Domain['otherNames'][number]

/** Observed names below a domain. Opening a name reads its newest results. */
export function OtherNames({ of: { otherNames, hasMoreNames } }: { of: Domain }) {
  if (otherNames.length === 0) return null
  // Withheld names all have the same text, so the position is part of the key.
  const keyed = otherNames.map((other, at) => ({ other, key: `${at} ${other.name}` }))
  return (
    <section aria-label="Also observed">
      <h3>Also observed</h3>
      {keyed.map(({ other, key }) => (
        <Observed key={key} other={other} />
      ))}
      {hasMoreNames && (
        <p className={classes.soft}>This list ends after {countWords(otherNames.length, 'name', 'names')}.</p>
      )}
    </section>
  )
}

function Observed({ other: { name, observations, statuses } }: { other: OtherName }) {
  const [isOpen, setOpen] = useState(false)
  const checked = statuses.filter(({ status }) => status !== 'not_checked')
  const results = checked.map(({ kind, status }) => `${kind}: ${statusWords[status]}`).join(', ')
  const summary = `${name} (${formatNumber(observations)}): ${results}`
  if (name === HIDDEN) return <p>{summary}</p>
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && <Results name={name} />}
    </details>
  )
}

function Results({ name }: { name: string }) {
  const read = useQuery(observationsOfNameQuery(name))
  return (
    <RecordBody record={read} what={`the results of ${name}`} lines={4} isPage={false}>
      {({ items }) => (
        <div className={classes.cards}>
          {items
            .filter(({ kind }, at) => items.findIndex((one) => one.kind === kind) === at)
            .map((observation) => (
              <ObservationCard
                key={observation.id}
                latest={{ kind: observation.kind, status: observation.status, observation }}
              />
            ))}
        </div>
      )}
    </RecordBody>
  )
}
