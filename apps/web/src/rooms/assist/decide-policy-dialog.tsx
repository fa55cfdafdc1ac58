import { type AssistPolicy, approveAssistPolicy, rejectAssistPolicy, withdrawAssistPolicy } from '@prospect/api-client'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { refreshAssist } from './assist.queries.ts'

export type PolicyDecision = { policy: AssistPolicy; decision: 'approve' | 'reject' | 'withdraw' }

const words = {
  approve: {
    label: 'Approve',
    next: 'This version replaces the currently approved version. Suggestions made under the earlier version end.',
    // The API accepts an approval of at most 365 days.
    term: { usualDays: 180, maxDays: 365 },
  },
  reject: { label: 'Reject', next: null, term: null },
  withdraw: { label: 'Withdraw', next: 'AI assistance is disabled at once, and open suggestions end.', term: null },
} as const

/** Dialog to decide about a version as shown. Approval and rejection require fresh proof of identity. */
export function DecidePolicyDialog({ policy, decision, ...dialog }: PolicyDecision & DialogProps) {
  const { id: assistPolicyId, fingerprint, version } = policy
  return (
    <DecisionDialog
      {...words[decision]}
      title={`${words[decision].label} version ${version}?`}
      reason="Stored with the policy"
      draftName={`assist-policy-${assistPolicyId}-${decision}`}
      send={({ reason, endsAt }, key) => {
        const request = { path: { assistPolicyId }, ...withKey(key) }
        if (decision === 'withdraw') return dataOf(withdrawAssistPolicy({ ...request, body: { reason } }))
        const body = { fingerprint, reason }
        if (decision === 'reject') return dataOf(rejectAssistPolicy({ ...request, body }))
        return dataOf(approveAssistPolicy({ ...request, body: { ...body, endsAt } }))
      }}
      done="Decision recorded."
      refresh={refreshAssist}
      {...dialog}
    />
  )
}
