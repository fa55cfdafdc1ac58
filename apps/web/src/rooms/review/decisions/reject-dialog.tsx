import type { Review } from '@prospect/api-client'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { reasonCodeWords } from '../../../ui/prospects/review-words.ts'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { useDecision } from './use-decision.ts'

export type ReasonCode = NonNullable<Review['reasonCode']>
export const reasonOptions = Object.entries(reasonCodeWords).map(([value, label]) => ({
  value: value as ReasonCode,
  label,
}))

/** Dialog to reject a prospect, so that it is not worked. */
export function RejectDialog({ business, close, reopen }: OpenProps) {
  const decision = useDecision(business)
  const initial: { reasonCode: ReasonCode | null; reason: string } = { reasonCode: null, reason: '' }
  return (
    <FormDialog
      title={`Reject ${nameText(business.name)}?`}
      submitLabel="Reject"
      tone="danger"
      what={`the review of ${nameText(business.name)}`}
      isAction
      initial={initial}
      validate={({ reasonCode, reason }) => ({
        ...(reasonCode === null && { reasonCode: 'Choose a reason.' }),
        ...(reasonCode === 'other' && reason.trim() === '' && { reason: 'Enter a reason.' }),
      })}
      send={({ reasonCode, reason }, { key }) =>
        decision.send({ decision: 'reject', reasonCode: reasonCode ?? 'other', reason: reason.trim() || null }, key)
      }
      explain={decision.explain}
      onSaved={() => {
        close()
        decision.saved('Rejected')
      }}
      draft={{ name: `review-reject-${business.id}` }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Select
            label="Reason"
            withAsterisk
            data={reasonOptions}
            data-autofocus
            {...form.getInputProps('reasonCode')}
          />
          <ReasonField
            form={form}
            restored={restored}
            label="Explanation"
            description="Required for “Other”. Stored with the review"
            withAsterisk={false}
            aria-required={false}
          />
        </>
      )}
    </FormDialog>
  )
}
