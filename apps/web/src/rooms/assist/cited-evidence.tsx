import { getEvidenceOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { DayOrTime } from '../../ui/text/day-or-time.tsx'
import { fieldName } from '../../ui/text/field-names.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './assist.module.css'

/** Observations that support a sentence. Each loads when it is opened. */
export function CitedEvidence({ businessId, evidenceIds }: { businessId: string; evidenceIds: readonly string[] }) {
  return (
    <ul className={classes.cited} aria-label="Evidence">
      {evidenceIds.map((evidenceId) => (
        <li key={evidenceId}>
          <Observation businessId={businessId} evidenceId={evidenceId} />
        </li>
      ))}
    </ul>
  )
}

function Observation({ businessId, evidenceId }: { businessId: string; evidenceId: string }) {
  const read = useQuery(getEvidenceOptions({ path: { businessId, evidenceId } }))
  if (read.data === undefined) return <NotLoaded read={read} what="the observation" lines={2} />
  const { field, value, observation, sourceLabel, sourceReference, confidence, capturedAt, capturedOn } = read.data
  return (
    <>
      {field !== null && (
        <p>
          {fieldName(field)}: <Name of={value ?? ''} />
        </p>
      )}
      {observation !== null && (
        <p>
          <Name of={observation} />
        </p>
      )}
      <p className={classes.meta}>
        <Name of={sourceLabel ?? sourceReference ?? 'Source not named'} /> · {confidence} confidence · captured{' '}
        <DayOrTime at={capturedAt} on={capturedOn} as="date" />
      </p>
    </>
  )
}
