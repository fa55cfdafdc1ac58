import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { approveDraft, type Draft, rejectDraft } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'
import { refreshDrafts } from './drafts.queries.ts'

type DialogProps = { draft: Draft; close: () => void; reopen: () => void }
type Props = DialogProps & { decision: 'approve' | 'reject' }

const description = 'Stored with the draft and in the audit'
const missing = 'Enter a reason.'
/** The default term of an approval, in days. */
const USUAL_DAYS = 7
const ranges = { endsInDays: { min: 1, max: 30 } }

/**
 * Dialog to decide about the version of a draft that was shown when the dialog opened. A later version that arrives meanwhile does not replace it: the
 * server then refuses the decision and states what changed.
 */
export function DecisionDialog({ decision, draft: shown, ...more }: Props) {
  const [draft] = useState(shown)
  const dialog = { draft, ...more }
  return decision === 'approve' ? <ApproveDialog {...dialog} /> : <RejectDialog {...dialog} />
}

function ApproveDialog({ draft, close, reopen }: DialogProps) {
  const queryClient = useQueryClient()
  const { id: draftId, contentHash, snapshotHash } = draft
  return (
    <FormDialog<{ reason: string; endsInDays: NumberValue }, unknown>
      title={`Approve “${nameText(draft.title)}”?`}
      submitLabel="Approve"
      what="the approval"
      isAction
      initial={{ reason: '', endsInDays: USUAL_DAYS }}
      validate={(values) => ({
        ...missingReason(values, missing),
        ...numberProblems(values, ranges),
      })}
      send={({ reason, endsInDays }, { key }) => {
        const body = { contentHash, snapshotHash, reason, endsInDays: numberOf(endsInDays) ?? USUAL_DAYS }
        return dataOf(approveDraft({ path: { draftId }, body, ...withKey(key) }))
      }}
      onSaved={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: 'The draft is approved.' })
        close()
      }}
      draft={{ name: `approve-draft-${draftId}-${contentHash}`, isBlank: ({ reason }) => reason.trim() === '' }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">The approval is for this text and the evidence behind it. Nothing is sent.</Text>
          <ReasonField form={form} restored={restored} description={description} data-autofocus />
          <NumberField label="Ends after days" {...ranges.endsInDays} required {...form.getInputProps('endsInDays')} />
        </>
      )}
    </FormDialog>
  )
}

function RejectDialog({ draft: { id: draftId, title, contentHash }, close, reopen }: DialogProps) {
  const queryClient = useQueryClient()
  return (
    <ReasonDialog
      draftName={`reject-draft-${draftId}-${contentHash}`}
      title={`Reject “${nameText(title)}”?`}
      confirmLabel="Reject"
      tone="danger"
      description={description}
      missing={missing}
      send={(reason, key) => dataOf(rejectDraft({ path: { draftId }, body: { reason, contentHash }, ...withKey(key) }))}
      sent={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: 'The draft is rejected.' })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">The author can change the draft and request again.</Text>
    </ReasonDialog>
  )
}
