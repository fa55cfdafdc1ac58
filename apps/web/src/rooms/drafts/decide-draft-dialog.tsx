import { approveDraft, type Draft, rejectDraft } from '@prospect/api-client'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'
import { refreshDrafts } from './drafts.queries.ts'

type Props = DialogProps & { draft: Draft; decision: 'approve' | 'reject' }

const words = {
  approve: {
    label: 'Approve',
    next: 'The approval is for this text and the evidence behind it. Nothing is sent.',
    done: 'The draft is approved.',
    tone: 'normal',
  },
  reject: {
    label: 'Reject',
    next: 'The author can change the draft and request approval again.',
    done: 'The draft is rejected.',
    tone: 'danger',
  },
} as const
/** The default term of an approval, in days. */
const USUAL_DAYS = 7
const ranges = { endsInDays: { min: 1, max: 30 } }
const initial: { endsInDays: NumberValue } = { endsInDays: USUAL_DAYS }

/**
 * Dialog to decide about the version of a draft that was shown when the dialog opened. A later version that arrives meanwhile does not replace it: the
 * server then refuses the decision and states what changed.
 */
export function DecideDraftDialog({ decision, draft: shown, ...dialog }: Props) {
  const [draft] = useState(shown)
  const { contentHash, snapshotHash } = draft
  const path = { draftId: draft.id }
  const isApproval = decision === 'approve'
  return (
    <DecisionDialog
      {...words[decision]}
      title={`${words[decision].label} “${nameText(draft.title)}”?`}
      reason="Stored with the draft and in the audit log"
      draftName={`${decision}-draft-${draft.id}-${contentHash}`}
      extra={{
        initial,
        validate: (values) => (isApproval ? numberProblems(values, ranges) : {}),
        fields: ({ form }) =>
          isApproval && (
            <NumberField
              label="Approval ends after (days)"
              {...ranges.endsInDays}
              required
              {...form.getInputProps('endsInDays')}
            />
          ),
      }}
      send={({ reason, endsInDays }, key): Promise<unknown> => {
        if (!isApproval) return dataOf(rejectDraft({ path, body: { reason, contentHash }, ...withKey(key) }))
        const body = { contentHash, snapshotHash, reason, endsInDays: numberOf(endsInDays) ?? USUAL_DAYS }
        return dataOf(approveDraft({ path, body, ...withKey(key) }))
      }}
      refresh={refreshDrafts}
      {...dialog}
    />
  )
}
