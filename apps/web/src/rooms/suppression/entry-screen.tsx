import { Button } from '@mantine/core'
import type { Suppression, SuppressionHistoryItem, SuppressionMatch } from '@prospect/api-client'
import { removeSuppression } from '@prospect/api-client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { channelWords } from '../../ui/prospects/request-channels.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatDay } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { BlockingMark, PastTermMark } from './entry-marks.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import classes from './suppression.module.css'
import { historyQuery, matchesQuery, suppressionQuery } from './suppression.queries.ts'
import { actionWords, causeWords, entryName, kindWords, prospectOfReference } from './suppression-words.ts'

/** Page of an entry: blocked records, history, and its removal for users with the permission. */
export function EntryScreen() {
  const { suppressionId } = useParams({ from: '/desk/suppression/$suppressionId' })
  const entry = useQuery(suppressionQuery(suppressionId))
  return (
    <Page width="text" back={<BackLink to="/suppression">Do-not-contact list</BackLink>}>
      <RecordBody record={entry} what="this entry" lines={8}>
        {(loaded) => <Entry entry={loaded} />}
      </RecordBody>
    </Page>
  )
}

function Entry({ entry }: { entry: Suppression }) {
  const canRemove = useCan('suppression.remove') && entry.status === 'active'
  const removing = useDialog()
  const name = entryName(entry)
  return (
    <>
      <PageHead
        title={name}
        tab="Entry of the do-not-contact list"
        lead={
          <>
            <p>
              {entry.status === 'active' ? <BlockingMark /> : 'Removed'} · {kindWords[entry.kind]}
              {entry.original !== null && entry.original !== entry.normalized && ` · entered as ${entry.original}`}
            </p>
            {entry.isPastTerm && <PastTermMark />}
          </>
        }
        actions={
          canRemove && (
            <Button variant="default" onClick={() => removing.open()}>
              Remove…
            </Button>
          )
        }
      />
      <Provenance entry={entry} />
      <h2 className={classes.part}>{entry.status === 'active' ? 'Blocks' : 'Blocked'}</h2>
      <Matches id={entry.id} />
      <h2 className={classes.part}>History</h2>
      <History id={entry.id} />
      {removing.slot((_, dialog) => (
        <RemovalDialog
          draftName={`remove-suppression-${entry.id}`}
          title={`Remove entry for ${name}?`}
          label="Remove entry"
          next="Records without another block can be contacted again immediately. The removed entry stays here with its history. The audit log records the removal."
          send={async ({ reason }, key) => {
            const { event, freed } = await dataOf(
              removeSuppression({ path: { suppressionId: entry.id }, body: { reason }, ...withKey(key) }),
            )
            const words = `Entry for ${name} removed. The entry matched ${countWords(freed, 'record', 'records')}. Records with another block stay marked do not contact.`
            return { event, words }
          }}
          {...dialog}
        />
      ))}
    </>
  )
}

function Provenance({ entry }: { entry: Suppression }) {
  return (
    <Facts className={classes.facts}>
      <Fact label="Reason">
        <Name of={entry.reason} />
      </Fact>
      <Fact label="Requested by">
        <Name of={entry.requestedBy ?? 'Not recorded'} />
      </Fact>
      <Fact label="Channel">{channelWords[entry.channel]}</Fact>
      <Fact label="Reference">
        <Reference of={entry.reference} />
      </Fact>
      <Fact label="Requested on">
        <DateTime at={entry.requestedAt} as="dateTime" />
      </Fact>
      <Fact label="Added by">
        <By person={entry.createdBy} at={entry.createdAt} />
      </Fact>
      {entry.termEndsOn !== null && (
        <Fact label="Term">
          {entry.isPastTerm ? 'Ended' : 'Ends'} on {formatDay(entry.termEndsOn)}. The entry blocks until someone removes
          it.
          {!entry.tombstone && ' Add the same value again to start a new term.'}
        </Fact>
      )}
      {entry.removal !== null && (
        <Fact label="Removed by">
          <By person={entry.removal.by} at={entry.removal.at} />: <Name of={entry.removal.reason} />
        </Fact>
      )}
      {entry.tombstone && (
        <Fact label="Stored">
          Only in a form that nobody can read. If someone adds the same value again, it is blocked.
        </Fact>
      )}
    </Facts>
  )
}

function Matches({ id }: { id: string }) {
  const list = useInfiniteQuery(matchesQuery(id))
  return (
    <ListBody
      list={list}
      data={list.data}
      noun="records"
      what="the blocked records"
      lines={3}
      empty={
        <Empty title="No matching records">If a prospect matches this entry later, it is marked immediately.</Empty>
      }
    >
      {(items) => (
        <ul className={classes.rows}>
          {items.map((match) => (
            <MatchRow key={match.business.id} match={match} />
          ))}
        </ul>
      )}
    </ListBody>
  )
}

function MatchRow({ match: { business, cause, at } }: { match: SuppressionMatch }) {
  return (
    <li>
      <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
        <Name of={business.name} />
      </Link>
      {business.doNotContact && <DoNotContactMark />}
      <span className={classes.soft}>
        {causeWords[cause]}, <DateTime at={at} as="date" />
        {business.status !== 'active' && `; ${business.status}`}
      </span>
    </li>
  )
}

function History({ id }: { id: string }) {
  const list = useInfiniteQuery(historyQuery(id))
  return (
    <ListBody list={list} data={list.data} noun="events" what="the history" lines={3} empty={null}>
      {(items) => (
        <ul className={classes.rows}>
          {items.map((item) => (
            <HistoryRow key={item.id} item={item} />
          ))}
        </ul>
      )}
    </ListBody>
  )
}

function HistoryRow({ item }: { item: SuppressionHistoryItem }) {
  const request = [item.requestedBy, item.channel === null ? null : channelWords[item.channel], item.reference]
  const records = item.action === 'removed' ? 'held' : 'marked'
  return (
    <li>
      <b>{actionWords[item.action]}</b> by <By person={item.by} at={item.at} />
      <span className={classes.soft}>
        <Name of={item.reason} />
        {request.some((word) => word !== null) &&
          ` (${request
            .filter((word) => word !== null)
            .map(nameText)
            .join(', ')})`}
        {item.records > 0 && ` · ${countWords(item.records, 'record', 'records')} ${records}`}
      </span>
    </li>
  )
}

/** The reference of a request. An entry that was added with the block of a prospect refers to the prospect. */
function Reference({ of }: { of: string | null }) {
  const businessId = prospectOfReference(of)
  if (businessId === null) return <Name of={of ?? 'None'} />
  return (
    <Link to="/prospects/$businessId" params={{ businessId }}>
      The blocked prospect
    </Link>
  )
}
