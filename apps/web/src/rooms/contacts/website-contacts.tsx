import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Business, type Extraction, requestExtraction } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './contacts.module.css'
import { newestExtractionQuery, recentScansQuery, refreshContacts } from './contacts.queries.ts'
import { extractionReasonWords, extractionStateWords, leftOutOf, summaryOf } from './extraction-words.ts'

/** Section on a prospect's Website tab: the newest extraction, and a button to start another one from the pages in memory. */
export function WebsiteContacts({ business }: { business: Business }) {
  if (!useCan('contacts.read_counts')) return null
  return (
    <section aria-labelledby="website-contacts" className={classes.tab}>
      <h2 id="website-contacts" className={classes.part}>
        Contacts
      </h2>
      <Newest business={business} />
      <Extract business={business} />
    </section>
  )
}

function Newest({ business }: { business: Business }) {
  const newest = useQuery(newestExtractionQuery(business.id))
  if (newest.data === undefined)
    return <NotLoaded read={newest} lines={2} what="the newest extraction" isPage={false} />
  const [extraction] = newest.data.items
  return (
    <div role="status">
      {extraction === undefined ? <p>Nothing was extracted yet.</p> : <Result extraction={extraction} />}
    </div>
  )
}

const withoutCounts: readonly Extraction['state'][] = [
  'queued',
  'running',
  'deferred',
  'blocked',
  'failed',
  'cancelled',
]

function Result({ extraction }: { extraction: Extraction }) {
  const { state, reasons, notRead, requestedAt, undecided } = extraction
  const canRead = useCan('contacts.read')
  return (
    <>
      <p>
        <b>{extractionStateWords[state]}</b> · <DateTime at={requestedAt} as="dateTime" />
      </p>
      {!withoutCounts.includes(state) && <p>{summaryOf(extraction)}</p>}
      <LeftOutTexts extraction={extraction} />
      {extraction.counts.protected > 0 && (
        <p>Some values are hidden from programs. Open the page to see these values.</p>
      )}
      {reasons.length > 0 && (
        <ul className={classes.reasons} aria-label="Reasons and next steps">
          {reasons.map((reason) => (
            <li key={reason}>{extractionReasonWords[reason]}</li>
          ))}
        </ul>
      )}
      {notRead.length > 0 && (
        <ul className={classes.reasons} aria-label="Pages that were not read, or only in part">
          {notRead.map(({ url, reason }) => (
            <li key={`${url} ${reason}`}>
              <Name of={url === '' ? 'A page whose content was deleted' : url} />: unknown.
            </li>
          ))}
        </ul>
      )}
      <p className={classes.links}>
        {canRead && undecided.open > 0 && <Link to="/contacts">Review the candidates</Link>}
        {canRead && undecided.quarantined > 0 && (
          <Link to="/contacts" search={{ show: 'quarantined' }}>
            See the quarantine
          </Link>
        )}
        {(reasons.includes('disabled') || reasons.includes('enablement_lapsed')) && (
          <Link to="/contacts/extraction">See the checklist</Link>
        )}
      </p>
    </>
  )
}

/** Counts and masked examples, so that a person notices if a real value was left out. */
function LeftOutTexts({ extraction }: { extraction: Extraction }) {
  const leftOut = leftOutOf(extraction)
  if (leftOut.length === 0) return null
  return (
    <details className={classes.leftOut}>
      <summary>What was left out and why</summary>
      <ul className={classes.reasons} aria-label="Left out, by reason">
        {leftOut.map(({ reason, count, examples }) => (
          <li key={reason}>
            {reason}: {formatNumber(count)}
            {examples.length > 0 && (
              <span className={classes.meta}>
                {' '}
                · such as <Name of={examples.join(', ')} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Extract({ business }: { business: Business }) {
  const queryClient = useQueryClient()
  const canExtract = useCanWork('contacts.extract', business)
  const recent = useQuery({ ...recentScansQuery(business.id), enabled: canExtract })
  const scanIds = recent.data ?? []
  const start = useMutation({
    meta: { notDone: 'the extraction' },
    mutationFn: () => dataOf(requestExtraction({ body: { businessId: business.id, scanIds }, ...withKey(newKey()) })),
    onSuccess: ({ state }) => {
      void refreshContacts(queryClient)
      notifications.show({
        message: state === 'queued' ? 'Extraction requested' : `The extraction is ${state}, so nothing was read.`,
      })
    },
  })
  if (!canExtract || recent.data === undefined) return null
  if (scanIds.length === 0)
    return <p className={classes.meta}>First add a contact page above. You then have 15 minutes to extract from it.</p>
  return (
    <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
      Extract contacts
    </Button>
  )
}
