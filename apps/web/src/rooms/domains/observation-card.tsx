import type { Domain } from '@prospect/api-client'
import { IconClock } from '@tabler/icons-react'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { kindWords, reasonWords, silenceWords, statusWords } from './domain-words.ts'
import classes from './domains.module.css'
import { RecordList } from './record-list.tsx'

/** Newest observation of one kind: its result, its expiry and what it does not prove. */
export function ObservationCard({ latest: { kind, status, observation } }: { latest: Domain['latest'][number] }) {
  return (
    <section className={classes.card} aria-label={`${kindWords[kind]} (${kind})`}>
      <h3>
        {kindWords[kind]} ({kind})
      </h3>
      <p>
        <b>{statusWords[status]}</b>
        {observation?.isPartial === true && ' · Partial answer'}
      </p>
      {observation !== null && observation.errorReason !== null && <p>{reasonWords[observation.errorReason]}</p>}
      {observation !== null && <RecordList of={observation.records} />}
      {observation !== null && observation.observedAt !== null && (
        <p className={classes.soft}>
          Asked <DateTime at={observation.observedAt} as="dateTime" /> · {observation.resolver ?? 'unknown resolver'} ·{' '}
          {observation.origin === 'operator' ? (
            <>
              entered by <Name of={observation.createdBy.name} />
            </>
          ) : (
            'from a source'
          )}
        </p>
      )}
      {observation?.freshness != null && (
        <p className={observation.freshness.state === 'stale' ? classes.stale : classes.soft}>
          <IconClock size={12} stroke={2} aria-hidden />{' '}
          {observation.freshness.state === 'fresh' ? 'Fresh until ' : 'Stale since '}
          <DateTime at={observation.freshness.until} as="dateTime" />
        </p>
      )}
      <p className={classes.soft}>{silenceWords[status]}</p>
    </section>
  )
}
