import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { closeDraft, type Draft, requestDraftApproval, saveDraft, withdrawDraftRequest } from '@prospect/api-client'
import { IconPencil, IconUserCheck, IconX } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { ifMatch, withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { ChecksList } from './checks-list.tsx'
import { CopyApproved } from './copy-approved.tsx'
import { DecideDraftDialog } from './decide-draft-dialog.tsx'
import { DraftForm } from './draft-form.tsx'
import { Difference, OriginLabel, Quotes, RenderedText } from './draft-text.tsx'
import { causeSentence, channelWords, purposeWords, wholeOf } from './draft-words.ts'
import classes from './drafts.module.css'
import { businessQuery, draftQuery, refreshDrafts, versionsQuery } from './drafts.queries.ts'
import { StateMark } from './state-mark.tsx'

/** Page of a draft: its text, current checks, approval, versions and history. */
export function DraftScreen() {
  const { draftId } = useParams({ from: '/desk/drafts/$draftId' })
  const draft = useQuery(draftQuery(draftId))
  return (
    <Page width="text" back={<BackLink to="/drafts">Drafts</BackLink>}>
      <RecordBody record={draft} what="this draft" lines={12}>
        {(loaded) => <DraftPage key={draftId} draft={loaded} />}
      </RecordBody>
    </Page>
  )
}

/** The steps that lead to a copy; the other buttons are quiet. */
const nextSteps = new Set(['draft.request', 'draft.approve'])

function DraftPage({ draft }: { draft: Draft }) {
  const [isEditing, setEditing] = useState(false)
  const closing = useDialog()
  const deciding = useDialog<'approve' | 'reject'>()
  const queryClient = useQueryClient()
  const { state } = draft
  const isOpen = state !== 'closed'
  const path = { draftId: draft.id }
  const request = useMutation({
    mutationFn: () => {
      const { contentHash, snapshotHash } = draft
      return dataOf(requestDraftApproval({ path, body: { contentHash, snapshotHash }, ...withKey(newKey()) }))
    },
    onSuccess: () => notifications.show({ message: 'The approval is requested.' }),
    onSettled: () => refreshDrafts(queryClient),
  })
  const withdraw = useMutation({
    mutationFn: () => dataOf(withdrawDraftRequest({ path, body: {}, ...withKey(newKey()) })),
    onSettled: () => refreshDrafts(queryClient),
  })
  const blocked = draft.checks.filter(
    ({ key, result }) => key !== 'approval' && (result === 'fail' || result === 'unknown'),
  )
  const canRequest = state === 'writing' || state === 'needs_review'
  const actions: Action[] = [
    {
      id: 'draft.edit',
      label: 'Edit',
      group: 'Draft',
      Icon: IconPencil,
      keys: 'e',
      permission: 'drafts.write',
      unavailable:
        !isOpen ||
        draft.textHidden ||
        (draft.business.doNotContact &&
          'The prospect is marked do not contact, so this draft cannot be edited or approved.'),
      run: () => setEditing(true),
    },
    {
      id: 'draft.request',
      label: 'Request approval',
      group: 'Draft',
      Icon: IconUserCheck,
      permission: 'drafts.write',
      isBusy: request.isPending,
      unavailable: canRequest ? (blocked.length > 0 ? 'A check fails. Correct the checks below first.' : false) : true,
      run: () => request.mutate(),
    },
    {
      id: 'draft.withdraw',
      label: 'Withdraw request',
      group: 'Draft',
      permission: 'drafts.write',
      unavailable: state !== 'in_review',
      isBusy: withdraw.isPending,
      run: () => withdraw.mutate(),
    },
    {
      id: 'draft.approve',
      label: 'Approve',
      group: 'Draft',
      keys: 'y',
      permission: 'drafts.approve',
      asksMore: true,
      unavailable: draft.request === null ? true : (draft.request.refusal ?? false),
      run: () => deciding.open('approve'),
    },
    {
      id: 'draft.reject',
      label: 'Reject',
      group: 'Draft',
      keys: 'r',
      permission: 'drafts.approve',
      asksMore: true,
      unavailable: draft.request === null,
      run: () => deciding.open('reject'),
    },
    {
      id: 'draft.close',
      label: 'Close',
      group: 'Draft',
      Icon: IconX,
      permission: 'drafts.write',
      asksMore: true,
      isDangerous: true,
      unavailable: !isOpen,
      run: () => closing.open(),
    },
  ]
  useActions('screen', actions)
  if (isEditing) return <Edit draft={draft} close={() => setEditing(false)} reopen={() => setEditing(true)} />
  const failure = request.error ?? withdraw.error
  return (
    <>
      <PageHead
        title={<Name of={draft.title} />}
        tab={draft.title}
        lead={
          <>
            <StateMark state={state} /> · {channelWords[draft.channel]} · {purposeWords[draft.purpose]} ·{' '}
            <Link to="/prospects/$businessId" params={{ businessId: draft.business.id }}>
              <Name of={draft.business.name} />
            </Link>
            {draft.business.doNotContact && <DoNotContactMark />}
          </>
        }
        actions={actions.map((action) => (
          <ActionButton
            key={action.id}
            action={action}
            iconSize={16}
            variant={nextSteps.has(action.id) ? 'filled' : 'default'}
          />
        ))}
      />
      {failure !== null && (
        <div className={classes.warning} role="alert">
          {sentenceOf(failure)}
        </div>
      )}
      <OriginLabel label={draft.label} />
      <Stale draft={draft} />
      {state === 'approved' && <CopyApproved key={`${draft.contentHash} ${draft.snapshotHash}`} draft={draft} />}
      <h2 id="draft-text" tabIndex={-1} className={classes.part}>
        Text
      </h2>
      <p id="draft-recipient" tabIndex={-1}>
        To <Name of={phoneText(draft.recipient.value)} />. Assignee: <Name of={draft.assignee.name} />
      </p>
      <RenderedText rendered={draft.rendered} />
      <div id="draft-citations" tabIndex={-1}>
        <Quotes draft={draft} />
      </div>
      <h2 className={classes.part}>Checks</h2>
      <ChecksList checks={draft.checks} businessId={draft.business.id} />
      <Approval draft={draft} />
      <h2 className={classes.part}>Versions</h2>
      <Versions draft={draft} />
      <h2 className={classes.part}>History</h2>
      <ul className={classes.rows} aria-label="History, newest first">
        {draft.history.map((event) => (
          <li key={event.id}>
            {historyWords[event.kind]} (version {event.version}) by <Name of={event.by.name} />{' '}
            <DateTime at={event.at} />
            {event.reason !== null && (
              <>
                : <Name of={event.reason} />
              </>
            )}
          </li>
        ))}
      </ul>
      {deciding.slot((decision, dialog) => (
        <DecideDraftDialog draft={draft} decision={decision} {...dialog} />
      ))}
      {closing.slot((_, dialog) => (
        <DecisionDialog
          title="Close this draft?"
          label="Close draft"
          tone="danger"
          next="You can still read a closed draft, but not edit it."
          reason="Stored with the draft"
          draftName={`close-draft-${draft.id}`}
          send={({ reason }, key) => dataOf(closeDraft({ path, body: { reason }, ...withKey(key) }))}
          refresh={refreshDrafts}
          {...dialog}
        />
      ))}
    </>
  )
}

const historyWords: Record<Draft['history'][number]['kind'], string> = {
  created: 'Created',
  saved: 'Saved',
  requested: 'Approval requested',
  withdrawn: 'Request withdrawn',
  rejected: 'Rejected',
  approved: 'Approved',
  stale: 'Approval ended by a change',
  expired: 'Expired',
  copied: 'Copied',
  closed: 'Closed',
}

function Edit({ draft, close, reopen }: { draft: Draft; close: () => void; reopen: () => void }) {
  const queryClient = useQueryClient()
  const business = useQuery(businessQuery(draft.business.id))
  return (
    <>
      <PageHead title="Edit draft" tab={draft.title} lead="Saving makes a new version and ends an approval." />
      <RecordBody record={business} what="the prospect" lines={10} isPage={false}>
        {(loaded) => (
          <DraftForm
            business={loaded}
            draft={draft}
            send={(body) => dataOf(saveDraft({ path: { draftId: draft.id }, body, ...ifMatch(draft.version) }))}
            saved={() => {
              void refreshDrafts(queryClient)
              close()
            }}
            close={close}
            reopen={reopen}
          />
        )}
      </RecordBody>
    </>
  )
}

/** Causes that ended the approval, with time and person. */
function Stale({ draft: { stale } }: { draft: Draft }) {
  if (stale === null) return null
  return (
    <section className={classes.warning} aria-labelledby="draft-stale">
      <h2 id="draft-stale">Why this needs review</h2>
      <ul>
        {stale.causes.map((cause) => (
          <li key={`${cause.code} ${cause.subject}`}>
            {causeSentence(cause)}
            {cause.at !== null && (
              <>
                {' '}
                <DateTime at={cause.at} />
              </>
            )}
            {cause.by !== null && (
              <>
                {' '}
                by <Name of={cause.by.name} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Approval({ draft: { request, approval, newSinceApproval, business } }: { draft: Draft }) {
  return (
    <>
      <h2 id="draft-approval" tabIndex={-1} className={classes.part}>
        Approval
      </h2>
      {request === null && approval === null && <p className={classes.soft}>Nobody has requested an approval yet.</p>}
      {request !== null && (
        <p>
          Requested by <Name of={request.by.name} /> <DateTime at={request.at} />. The request is open until{' '}
          <DateTime at={request.endsAt} as="date" />.
        </p>
      )}
      {approval !== null && (
        <p>
          Approved by <Name of={approval.by.name} /> <DateTime at={approval.at} /> until{' '}
          <DateTime at={approval.endsAt} as="date" />: <Name of={approval.reason} />
        </p>
      )}
      {newSinceApproval.length > 0 && (
        <>
          <h3>New since approval</h3>
          <p className={classes.soft}>Other facts changed after the approval. The approval is still valid.</p>
          <ul className={classes.rows}>
            {newSinceApproval.map(({ evidenceId, at }) => (
              <li key={evidenceId}>
                <Link to="/prospects/$businessId" params={{ businessId: business.id }} search={{ tab: 'evidence' }}>
                  An observation
                </Link>{' '}
                <DateTime at={at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Versions({ draft }: { draft: Draft }) {
  const versions = useInfiniteQuery(versionsQuery(draft.id))
  const [shown, setShown] = useState<number | null>(null)
  return (
    <ListBody list={versions} data={versions.data} noun="versions" empty={<Empty title="There are no versions" />}>
      {(items) => (
        <ul className={classes.rows} aria-label="Versions, newest first">
          {items.map((version, at) => {
            const before = items[at + 1]
            return (
              <li key={version.number}>
                Version {version.number} by <Name of={version.createdBy.name} /> <DateTime at={version.createdAt} />{' '}
                <OriginLabel label={version.label} />
                {before !== undefined && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-expanded={shown === version.number}
                    onClick={() => setShown(shown === version.number ? null : version.number)}
                  >
                    Compare with version {before.number}
                  </Button>
                )}
                {shown === version.number && before !== undefined && (
                  <Difference before={wholeOf(before)} after={wholeOf(version)} />
                )}
              </li>
            )
          })}
        </ul>
      )}
    </ListBody>
  )
}
