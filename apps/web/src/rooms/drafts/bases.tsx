import { Button, Text } from '@mantine/core'
import { type Business, type LegalBasis, withdrawLegalBasis } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCanWork } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { RecordActionButton } from '../../ui/rooms/record-action-button.tsx'
import { useRecordPage } from '../../ui/rooms/record-page.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatDay, phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { basisWords, channelWords, formWords, lawName, purposeWords } from './draft-words.ts'
import classes from './drafts.module.css'
import { basesQuery, refreshDrafts } from './drafts.queries.ts'

/** The legal bases of a prospect, and what to do when the prospect objects. */
export function Bases({ business }: { business: Business }) {
  const list = useInfiniteQuery(basesQuery(business.id))
  const page = useRecordPage()
  const canWrite = useCanWork('drafts.write', business)
  const withdrawing = useDialog<LegalBasis>()
  const isBlocked = business.doNotContact !== null
  return (
    <section aria-labelledby="record-bases">
      <h2 id="record-bases" className={classes.part}>
        Legal bases
      </h2>
      {canWrite && !isBlocked && (
        <Button variant="default" onClick={() => page.openDialog('legal-basis')}>
          Add a legal basis…
        </Button>
      )}
      {canWrite && isBlocked && <p>The prospect is marked do not contact, so nobody can add a legal basis.</p>}
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
          <>
            <ul className={classes.rows} aria-label="Legal bases, newest first">
              {items.map((basis) => (
                <li key={basis.id}>
                  <Basis basis={basis} />
                  {canWrite && basis.withdrawal === null && basis.objectedAt === null && (
                    <Button size="compact-xs" variant="default" onClick={() => withdrawing.open(basis)}>
                      Withdraw…
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {!isBlocked && (
              <>
                <Text size="sm">
                  If they object, or withdraw their consent, mark the prospect as do not contact. The mark ends all
                  legal bases at once, and they do not return when the mark is lifted.
                </Text>
                <div className={classes.actions}>
                  <RecordActionButton id="record.block" size="compact-xs" variant="default" />
                </div>
              </>
            )}
          </>
        )}
      </ListBody>
      {withdrawing.slot(({ id }, dialog) => (
        <DecisionDialog
          title="Withdraw this legal basis?"
          label="Withdraw"
          tone="danger"
          next="Drafts that were approved under it need approval again. This does not block the prospect: if they objected, mark the prospect as do not contact instead."
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

function Basis({ basis }: { basis: LegalBasis }) {
  const { kind, form, language, agreedTo, recordingReference, sale, documentReference } = basis
  return (
    <>
      <b>{basisWords[kind]}</b> for {purposeWords[basis.purpose].toLowerCase()} by{' '}
      {basis.channels.map((channel) => channelWords[channel].toLowerCase()).join(', ')} in {lawName(basis.jurisdiction)}
      , {basis.recipient === null ? 'any recipient' : <Name of={phoneText(basis.recipient.value)} />}
      <p className={classes.soft}>
        <Standing basis={basis} />
      </p>
      <Facts>
        <Fact label="Form">
          {form !== 'none' && formWords[form]}
          {form === 'unknown' && ': added before forms were recorded. A policy may not accept it'}
        </Fact>
        <Fact label="Agreed to">{agreedTo !== null && <Name of={agreedTo} />}</Fact>
        <Fact label="Language">{language}</Fact>
        <Fact label="Bought">
          {sale !== null && (
            <>
              <Name of={sale.what} />, {formatDay(sale.on)}
            </>
          )}
        </Fact>
        <Fact label="Recording">{recordingReference !== null && <Name of={recordingReference} />}</Fact>
        <Fact label="Proof">{documentReference !== null && <Name of={documentReference} />}</Fact>
      </Facts>
    </>
  )
}

/** Whether a legal basis is in force, and what ended it first. */
function Standing({ basis: { until, objectedAt, withdrawal } }: { basis: LegalBasis }) {
  if (objectedAt !== null && (withdrawal === null || objectedAt < withdrawal.at))
    return (
      <>
        Ended <DateTime at={objectedAt} />, when the prospect was marked do not contact
      </>
    )
  if (withdrawal !== null)
    return (
      <>
        Withdrawn <DateTime at={withdrawal.at} /> by <Name of={withdrawal.by.name} />
      </>
    )
  return (
    <>
      Until <DateTime at={until} as="date" />
    </>
  )
}
