import { Button } from '@mantine/core'
import { type Business, type LegalBasis, withdrawLegalBasis } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { useRecordPage } from '../../ui/rooms/record-page.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { basisWords, channelWords, lawName, purposeWords } from './draft-words.ts'
import classes from './drafts.module.css'
import { basesQuery, draftsOfQuery, refreshDrafts } from './drafts.queries.ts'
import { StateMark } from './state-mark.tsx'

/** Tab with the drafts and legal bases of a prospect. */
export function DraftsTab({ business }: { business: Business }) {
  if (!useCan('drafts.read')) return <NoPermission what="drafts" />
  return (
    <div className={classes.tab}>
      <DraftsOf business={business} />
      <Bases business={business} />
    </div>
  )
}

function DraftsOf({ business }: { business: Business }) {
  const list = useInfiniteQuery(draftsOfQuery(business.id))
  const canWrite = useCanWork('drafts.write', business)
  return (
    <section aria-labelledby="record-drafts">
      <h2 id="record-drafts" className={classes.part}>
        Drafts
      </h2>
      {canWrite &&
        (business.doNotContact === null ? (
          <p>
            <Link to="/drafts/new" search={{ businessId: business.id }}>
              Write a draft
            </Link>
          </p>
        ) : (
          <p>The prospect is marked do not contact, so nobody can write a draft.</p>
        ))}
      <ListBody
        list={list}
        data={list.data}
        noun="drafts"
        lines={2}
        empty={
          <Empty title="No drafts yet">A draft is checked, approved and then copied by hand. Nothing is sent.</Empty>
        }
      >
        {(items) => (
          <ul className={classes.rows} aria-label="Drafts, newest first">
            {items.map((draft) => (
              <li key={draft.id}>
                <Link to="/drafts/$draftId" params={{ draftId: draft.id }}>
                  <Name of={draft.title} />
                </Link>{' '}
                · <StateMark state={draft.state} /> · {channelWords[draft.channel]} · <DateTime at={draft.updatedAt} />
              </li>
            ))}
          </ul>
        )}
      </ListBody>
    </section>
  )
}

function Bases({ business }: { business: Business }) {
  const list = useInfiniteQuery(basesQuery(business.id))
  const page = useRecordPage()
  const canWrite = useCanWork('drafts.write', business)
  const withdrawing = useDialog<LegalBasis>()
  return (
    <section aria-labelledby="record-bases">
      <h2 id="record-bases" className={classes.part}>
        Legal bases
      </h2>
      {canWrite && (
        <Button variant="default" onClick={() => page.openDialog('legal-basis')}>
          Add a legal basis…
        </Button>
      )}
      <ListBody
        list={list}
        data={list.data}
        noun="legal bases"
        lines={2}
        empty={
          <Empty title="No legal bases yet">
            A draft needs a legal basis before approval. A public address alone is not a legal basis.
          </Empty>
        }
      >
        {(items) => (
          <ul className={classes.rows} aria-label="Legal bases, newest first">
            {items.map((basis) => (
              <li key={basis.id}>
                <b>{basisWords[basis.kind]}</b> for {purposeWords[basis.purpose].toLowerCase()} by{' '}
                {basis.channels.map((channel) => channelWords[channel].toLowerCase()).join(', ')} in{' '}
                {lawName(basis.jurisdiction)},{' '}
                {basis.recipient === null ? 'any recipient' : <Name of={phoneText(basis.recipient.value)} />}
                <p className={classes.soft}>
                  {basis.withdrawal === null ? (
                    <>
                      Until <DateTime at={basis.until} as="date" />
                    </>
                  ) : (
                    <>
                      Withdrawn <DateTime at={basis.withdrawal.at} /> by <Name of={basis.withdrawal.by.name} />
                    </>
                  )}
                  {basis.documentReference !== null && (
                    <>
                      {' · '}
                      <Name of={basis.documentReference} />
                    </>
                  )}
                </p>
                {canWrite && basis.withdrawal === null && (
                  <Button size="compact-xs" variant="default" onClick={() => withdrawing.open(basis)}>
                    Withdraw…
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </ListBody>
      {withdrawing.slot(({ id }, dialog) => (
        <DecisionDialog
          title="Withdraw this legal basis?"
          label="Withdraw"
          tone="danger"
          next="Drafts that were approved under it need approval again."
          reason="Stored with the legal basis"
          draftName={`withdraw-basis-${id}`}
          send={({ reason }, key) =>
            dataOf(
              withdrawLegalBasis({
                path: { businessId: business.id, basisId: id },
                body: { reason },
                ...withKey(key),
              }),
            )
          }
          refresh={refreshDrafts}
          {...dialog}
        />
      ))}
    </section>
  )
}
