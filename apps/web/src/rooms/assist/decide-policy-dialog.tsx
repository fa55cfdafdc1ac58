import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type AssistPolicy, approveAssistPolicy, rejectAssistPolicy, withdrawAssistPolicy } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { EndDayField, useEndDay } from '../../ui/fields/end-day-field.tsx'
import { refreshAssist } from './assist.queries.ts'

export type PolicyDecision = { policy: AssistPolicy; decision: 'approve' | 'reject' | 'withdraw' }

type Props = PolicyDecision & { close: () => void; reopen: () => void }
type Values = { reason: string; endsOn: string }

const labels = { approve: 'Approve', reject: 'Reject', withdraw: 'Withdraw' } as const
/** The API accepts an approval of at most 365 days. */
const approvalTerm = { usualDays: 180, maxDays: 365 }

/** Dialog to decide about a version as shown. Approval and rejection require fresh proof of identity. */
export function DecidePolicyDialog({ policy, decision, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { id: assistPolicyId, fingerprint, version } = policy
  const end = useEndDay(decision === 'approve' ? approvalTerm : null)
  const path = { assistPolicyId }
  const send = ({ reason, endsOn }: Values, key: string) => {
    if (decision === 'withdraw') return dataOf(withdrawAssistPolicy({ path, body: { reason }, ...withKey(key) }))
    if (decision === 'reject')
      return dataOf(rejectAssistPolicy({ path, body: { fingerprint, reason }, ...withKey(key) }))
    const endsAt = end.instant({ endsOn })
    return dataOf(approveAssistPolicy({ path, body: { fingerprint, reason, endsAt }, ...withKey(key) }))
  }
  return (
    <FormDialog<Values, AssistPolicy>
      title={`${labels[decision]} version ${version}?`}
      submitLabel={labels[decision]}
      isAction
      initial={{ reason: '', endsOn: end.usual }}
      what="the decision about the policy"
      draft={{ name: `assist-policy-${assistPolicyId}-${decision}` }}
      close={close}
      reopen={reopen}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...end.problems(values),
      })}
      fieldOf={(path) => (path === 'endsAt' ? 'endsOn' : path === 'reason' ? path : undefined)}
      send={(values, { key }) => send(values, key)}
      onSaved={() => {
        void refreshAssist(queryClient)
        notifications.show({ message: 'The decision is recorded.' })
        close()
      }}
    >
      {({ form, restored }) => (
        <>
          {decision === 'approve' && (
            <Text size="sm">The version that is approved now is superseded. Suggestions that rest on it end.</Text>
          )}
          {decision === 'withdraw' && <Text size="sm">Assistance is disabled at once, and open suggestions end.</Text>}
          <ReasonField form={form} restored={restored} description="It stays with the policy" data-autofocus />
          {decision === 'approve' && <EndDayField end={end} {...form.getInputProps('endsOn')} />}
        </>
      )}
    </FormDialog>
  )
}
