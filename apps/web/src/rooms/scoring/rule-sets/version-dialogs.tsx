import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  approveRuleSetVersion,
  rejectRuleSetVersion,
  retireRuleSetVersion,
  type ScoringVersion,
  submitRuleSetVersion,
  withdrawRuleSetVersion,
} from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { newKey } from '../../../ui/api/idempotency.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { DecisionDialog } from '../../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../../ui/dialogs/use-dialog.tsx'
import { refreshScoring } from '../scoring.queries.ts'

type Props = { version: ScoringVersion; close: () => void }

/** Path parameters of a version. */
export const pathOf = ({ ruleSetId, version }: ScoringVersion) => ({ ruleSetId, version: String(version) })

type StepProps = Props & { step: 'submit' | 'withdraw' }

/** Confirmation to submit a draft, or to withdraw a submission. */
export function StepDialog({ version, step, close }: StepProps) {
  const queryClient = useQueryClient()
  const isSubmission = step === 'submit'
  const title = isSubmission ? `Submit version ${version.version}?` : `Withdraw version ${version.version}?`
  const send = useMutation({
    meta: { notDone: title.replace('?', '') },
    mutationFn: () => {
      const request = { path: pathOf(version), ...withKey(newKey()) }
      return dataOf(isSubmission ? submitRuleSetVersion(request) : withdrawRuleSetVersion(request))
    },
    onSuccess: async () => {
      await refreshScoring(queryClient)
      notifications.show({
        message: isSubmission
          ? `Version ${version.version} was submitted for approval.`
          : `Version ${version.version} is a draft again.`,
      })
      close()
    },
  })
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={isSubmission ? 'Submit' : 'Withdraw'}
      isBusy={send.isPending}
      error={send.error}
      onConfirm={() => send.mutate()}
      onClose={close}
    >
      <Text size="sm">
        {isSubmission
          ? 'Nobody can edit the rules until someone decides. You can withdraw the version until then.'
          : 'The version becomes a draft again. You can edit the draft and submit it again.'}
      </Text>
    </ConfirmDialog>
  )
}

export type Decision = 'approve' | 'reject' | 'retire'

type DecisionProps = DialogProps & {
  version: ScoringVersion
  decision: Decision
  /** Id of the full preview that the user has seen, or null. */
  previewId: string | null
}

const words = {
  approve: {
    label: 'Approve',
    next: 'You approve exactly these rules and the preview on this page. No score changes until someone recalculates and activates the scores.',
    tone: 'normal',
    done: 'was approved.',
  },
  reject: {
    label: 'Reject',
    next: 'The version is kept, but nobody can edit it any more. Its author can create a new version from it.',
    tone: 'danger',
    done: 'was rejected.',
  },
  retire: {
    label: 'Retire',
    next: 'The version can no longer compute or activate scores. Its past scores and its history are kept.',
    tone: 'danger',
    done: 'was retired.',
  },
} as const

/** Dialog for a decision about a version, with its reason. */
export function DecideVersionDialog({ version, decision, previewId, ...dialog }: DecisionProps) {
  const { label, done } = words[decision]
  return (
    <DecisionDialog
      {...words[decision]}
      title={`${label} version ${version.version}?`}
      reason="Stored in the history of the version"
      draftName={`scoring-${decision}-${version.ruleSetId}-${version.version}-${version.contentHash}`}
      send={({ reason }, key) => sendDecision(version, decision, { reason, previewId, key })}
      done={`Version ${version.version} ${done}`}
      refresh={refreshScoring}
      {...dialog}
    />
  )
}

function sendDecision(
  version: ScoringVersion,
  decision: Decision,
  { reason, previewId, key }: { reason: string; previewId: string | null; key: string },
): Promise<ScoringVersion> {
  const request = { path: pathOf(version), ...withKey(key) }
  switch (decision) {
    case 'approve': {
      const body = { contentHash: version.contentHash, previewId: previewId ?? '', reason }
      return dataOf(approveRuleSetVersion({ ...request, body }))
    }
    case 'reject':
      return dataOf(rejectRuleSetVersion({ ...request, body: { reason } }))
    case 'retire':
      return dataOf(retireRuleSetVersion({ ...request, body: { reason } }))
  }
}
