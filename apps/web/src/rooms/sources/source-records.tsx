import { Button } from '@mantine/core'
import { type Business, deleteRawText, type SourceRecord } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { Origin } from '../../ui/prospects/origin.tsx'
import { useRecordPage } from '../../ui/rooms/record-page.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './sources.module.css'
import { refreshSourceRecords, sourceRecordsQuery } from './sources.queries.ts'

/** Records that sources supplied about this prospect, and the number of facts from each. */
export function SourceRecords({ business }: { business: Business }) {
  return (
    <section aria-labelledby="source-records" className={classes.tab}>
      <h2 id="source-records" className={classes.part}>
        Source records
      </h2>
      <Records business={business} />
    </section>
  )
}

function Records({ business }: { business: Business }) {
  const list = useInfiniteQuery(sourceRecordsQuery(business.id))
  const page = useRecordPage()
  const deleting = useDialog<SourceRecord>()
  const canRecord = useCanWork('sources.record', business)
  const add = canRecord && (
    <Button variant="default" onClick={() => page.openDialog('source-record')}>
      Record reference…
    </Button>
  )
  return (
    <ListBody
      list={list}
      data={list.data}
      noun="source records"
      lines={6}
      empty={
        <Empty title="No source records yet" action={add}>
          A source record stores a reference and the facts that were taken from it.
        </Empty>
      }
    >
      {(items) => (
        <>
          {add}
          <ol className={classes.rows} aria-label="Source records, newest first">
            {items.map((record) => (
              <RecordItem
                key={record.id}
                record={record}
                shownOn={business.id}
                deleteText={() => deleting.open(record)}
              />
            ))}
          </ol>
          {deleting.slot(({ id }, dialog) => (
            <DecisionDialog
              title="Delete text of this record?"
              label="Delete text"
              tone="danger"
              next="The fingerprint of the text, its origin and the facts are kept, with a note that the text was deleted."
              reason="Stored with the record"
              draftName={`delete-raw-${id}`}
              send={({ reason }, key) =>
                dataOf(
                  deleteRawText({
                    path: { businessId: business.id, sourceRecordId: id },
                    body: { reason },
                    ...withKey(key),
                  }),
                )
              }
              done="Text deleted"
              refresh={refreshSourceRecords}
              {...dialog}
            />
          ))}
        </>
      )}
    </ListBody>
  )
}

const suppliedWords = { operator: 'Supplied by a person', source: 'Supplied by the source' } as const

type ItemProps = { record: SourceRecord; shownOn: string; deleteText: () => void }

function RecordItem({ record, shownOn, deleteText }: ItemProps) {
  const canDelete = useCan('sources.delete_raw')
  const { source, csv, evidenceIds } = record
  return (
    <li>
      <div>
        <b>
          <Name of={record.attribution} />
        </b>{' '}
        <span className={classes.meta}>
          <Link to="/sources/$sourceId" params={{ sourceId: source.id }}>
            <Name of={source.name} />
          </Link>
          , {suppliedWords[record.suppliedBy].toLowerCase()}, captured <DateTime at={record.capturedAt} as="dateTime" />
          {csv !== null && `, row ${formatNumber(csv.row)} (line ${formatNumber(csv.line)})`}
          <Origin of={record.businessId} on={shownOn} />
        </span>
        <RawText record={record} />
        <p className={classes.meta}>
          {evidenceIds.length === 0
            ? 'No facts were taken from this record.'
            : `${countWords(evidenceIds.length, 'fact was', 'facts were')} taken from this record: `}
          {evidenceIds.map((id, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Link to="." search={(search) => ({ ...search, tab: 'evidence' })} hash={`evidence-${id}`}>
                fact {at + 1}
              </Link>
            </span>
          ))}
        </p>
        <p className={classes.meta}>
          Recorded by <Name of={record.createdBy.name} /> <DateTime at={record.createdAt} />
        </p>
      </div>
      {canDelete && record.raw !== null && (
        <Button size="compact-xs" variant="default" onClick={deleteText}>
          Delete text…
        </Button>
      )}
    </li>
  )
}

function RawText({ record }: { record: SourceRecord }) {
  const { raw, rawState, rawDeletedAt, rawDeletionReason, rawDeleteAfter } = record
  if (raw !== null)
    return (
      <>
        <p className={classes.text}>
          <Name of={raw} />
        </p>
        {rawState === 'failed' && (
          <p className={classes.meta}>The text could not be deleted on time. The app tries again.</p>
        )}
        {rawState === 'kept' && rawDeleteAfter !== null && (
          <p className={classes.meta}>
            The text is deleted <DateTime at={rawDeleteAfter} as="date" />.
          </p>
        )}
      </>
    )
  if (rawState === 'deleted')
    return (
      <p className={classes.meta}>
        The text was deleted {rawDeletedAt !== null && <DateTime at={rawDeletedAt} as="date" />}
        {rawDeletionReason !== null && (
          <>
            : <Name of={rawDeletionReason} />
          </>
        )}
      </p>
    )
  return <p className={classes.meta}>{rawState === 'none' ? 'No text is stored.' : 'Your role cannot see the text.'}</p>
}
