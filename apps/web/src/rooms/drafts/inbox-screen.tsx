import type { Draft, DraftApprovalRequest } from '@prospect/api-client'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { ChecksList } from './checks-list.tsx'
import { DecideDraftDialog } from './decide-draft-dialog.tsx'
import { Difference, OriginLabel, Quotes, RenderedText } from './draft-text.tsx'
import { wholeOf } from './draft-words.ts'
import classes from './drafts.module.css'
import { draftQuery, requestsQuery, versionsQuery } from './drafts.queries.ts'

/** Pending approval requests, shown one at a time: `j` and `k` move, `y` approves, `r` rejects. */
export function InboxScreen() {
  const requests = useInfiniteQuery(requestsQuery)
  return (
    <Page width="text" title="To approve" lead="You cannot approve your own drafts.">
      <ListBody
        list={requests}
        data={requests.data}
        noun="requests"
        empty={
          <Empty title="Nothing waits for approval">A draft appears here when its author requests approval.</Empty>
        }
      >
        {(items) => <Inbox requests={items} />}
      </ListBody>
    </Page>
  )
}

function Inbox({ requests }: { requests: DraftApprovalRequest[] }) {
  const { current, move } = useCurrentRequest(requests)
  const deciding = useDialog<{ decision: 'approve' | 'reject'; draft: Draft }>()
  const draft = useQuery({ ...draftQuery(current?.draft.id ?? ''), enabled: current !== undefined })
  const decide = (
    decision: 'approve' | 'reject',
  ): Pick<Action, 'unavailable' | 'asksMore' | 'permission' | 'group'> & {
    run: () => void
  } => ({
    group: 'Approvals',
    permission: 'drafts.approve',
    asksMore: true,
    unavailable:
      draft.data?.request == null ? true : decision === 'approve' ? (draft.data.request.refusal ?? false) : false,
    run: () => draft.data !== undefined && deciding.open({ decision, draft: draft.data }),
  })
  const approve: Action = { id: 'drafts.approve', label: 'Approve', Icon: IconCheck, keys: 'y', ...decide('approve') }
  const reject: Action = { id: 'drafts.reject', label: 'Reject', Icon: IconX, keys: 'r', ...decide('reject') }
  useActions('screen', [
    { id: 'drafts.next', label: 'Next request', group: 'Approvals', keys: 'j', inPalette: false, run: move(1) },
    {
      id: 'drafts.previous',
      label: 'Previous request',
      group: 'Approvals',
      keys: 'k',
      inPalette: false,
      run: move(-1),
    },
    approve,
    reject,
  ])
  return (
    <>
      <ul className={classes.rows} aria-label="Requests, newest first">
        {requests.map((request) => (
          <li key={request.id} aria-current={request === current ? 'true' : undefined}>
            <Link to="/drafts/$draftId" params={{ draftId: request.draft.id }}>
              <Name of={request.draft.title} />
            </Link>{' '}
            for <Name of={request.draft.business.name} />, requested by <Name of={request.by.name} />{' '}
            <DateTime at={request.at} />
            {!request.mayDecide && <span className={classes.soft}> · Another person decides</span>}
          </li>
        ))}
      </ul>
      {current !== undefined && (
        <section aria-label="Open request">
          <RecordBody record={draft} what="this draft" lines={8} isPage={false}>
            {(loaded) => (
              <>
                <h2 className={classes.part}>
                  <Name of={loaded.title} />
                </h2>
                <div className={classes.actions}>
                  <ActionButton action={approve} iconSize={16} />
                  <ActionButton action={reject} iconSize={16} variant="default" />
                </div>
                <OriginLabel label={loaded.label} />
                <p id="draft-recipient" tabIndex={-1}>
                  To <Name of={phoneText(loaded.recipient.value)} />
                </p>
                <div id="draft-text" tabIndex={-1}>
                  <RenderedText rendered={loaded.rendered} />
                </div>
                <div id="draft-citations" tabIndex={-1}>
                  <Quotes draft={loaded} />
                </div>
                <SinceApproval draftId={loaded.id} last={loaded.lastApprovedVersion} version={loaded.version} />
                <ChecksList checks={loaded.checks} businessId={loaded.business.id} />
              </>
            )}
          </RecordBody>
        </section>
      )}
      {deciding.slot((decision, dialog) => (
        <DecideDraftDialog {...decision} {...dialog} />
      ))}
    </>
  )
}

/**
 * The request that is shown. It stays when other requests arrive before it; when it is decided, the one at its place follows. `move` goes to the next
 * or the previous request.
 */
function useCurrentRequest(requests: readonly DraftApprovalRequest[]) {
  const [place, setPlace] = useState<{ id: string | undefined; at: number }>({ id: requests[0]?.id, at: 0 })
  const found = requests.findIndex(({ id }) => id === place.id)
  const at = found === -1 ? Math.min(place.at, requests.length - 1) : found
  const current = requests[at]
  if (current?.id !== place.id || at !== place.at) setPlace({ id: current?.id, at })
  const move = (by: 1 | -1) => () => {
    const next = Math.min(Math.max(at + by, 0), requests.length - 1)
    setPlace({ id: requests[next]?.id, at: next })
  }
  return { current, move }
}

type SinceProps = { draftId: string; last: number | null; version: number }

/** Difference from the last approved version. */
function SinceApproval({ draftId, last, version }: SinceProps) {
  const versions = useInfiniteQuery({ ...versionsQuery(draftId), enabled: last !== null && last !== version })
  if (last === null) return <p className={classes.soft}>No version of this draft was approved before.</p>
  if (last === version) return <p className={classes.soft}>This version was approved before.</p>
  const find = (number: number) => versions.data?.items.find((one) => one.number === number)
  const [before, after] = [find(last), find(version)]
  return (
    <>
      <h3>Changes since version {last}, which was approved</h3>
      {before === undefined || after === undefined ? (
        <p className={classes.soft}>Open the draft to compare its versions.</p>
      ) : (
        <Difference before={wholeOf(before)} after={wholeOf(after)} />
      )}
    </>
  )
}
