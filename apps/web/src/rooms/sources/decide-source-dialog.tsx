import {
  approveSource,
  disableSource,
  enableSource,
  revokeSourceDecision,
  type Source,
  withdrawSource,
} from '@prospect/api-client'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog, type DecisionWords } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import type { Desk } from './source-words.ts'
import { refreshSources } from './sources.queries.ts'

export type Decision =
  | { kind: 'approve' | 'reject'; desk: Desk }
  | { kind: 'enable' | 'disable' | 'withdraw' }
  | { kind: 'revoke'; decisionId: string; what: string }

type Words = Pick<DecisionWords, 'title' | 'label' | 'next' | 'tone' | 'term'>

function wordsOf(decision: Decision, { name }: Source): Words {
  switch (decision.kind) {
    case 'approve':
      return {
        title: `Approve ${name} for the ${decision.desk} desk?`,
        label: 'Approve',
        next: 'The approval covers this version, with the connector that is installed on the server now.',
        term: { usualDays: 180, maxDays: 366 },
      }
    case 'reject':
      return {
        title: `Reject ${name} for the ${decision.desk} desk?`,
        label: 'Reject',
        next: 'This version can no longer be approved. Save a new version to try again.',
        tone: 'danger',
      }
    case 'enable':
      return {
        title: `Enable ${name}?`,
        label: 'Enable',
        next: 'Requests are sent within the limits of the contract until the end of the last day.',
        term: { usualDays: 60, maxDays: 90 },
      }
    case 'disable':
      return {
        title: `Disable ${name}?`,
        label: 'Disable',
        next: 'No further requests are sent. Approvals are kept.',
        tone: 'danger',
      }
    case 'withdraw':
      return {
        title: `Withdraw ${name}?`,
        label: 'Withdraw',
        next: 'You cannot undo this. The records and the history of the source are kept.',
        tone: 'danger',
      }
    case 'revoke':
      return {
        title: `Revoke ${decision.what}?`,
        label: 'Revoke',
        next: 'The revocation applies to the next request. Afterwards the source must be approved or enabled again.',
        tone: 'danger',
      }
  }
}

/** Name of the draft of one decision: about this version, for this desk, or about this earlier decision. */
function draftNameOf(decision: Decision, { id, contractVersion }: Source): string {
  const about = `source-${id}-${contractVersion}-${decision.kind}`
  if ('desk' in decision) return `${about}-${decision.desk}`
  return 'decisionId' in decision ? `${about}-${decision.decisionId}` : about
}

type Props = DialogProps & { source: Source; decision: Decision }

/** Dialog for every decision about a source, with the server's result. */
export function DecideSourceDialog({ source, decision, ...dialog }: Props) {
  return (
    <DecisionDialog
      {...wordsOf(decision, source)}
      reason="Stored in the history of the source"
      draftName={draftNameOf(decision, source)}
      isUndoable
      send={(decided, key) => send(source, decision, { ...decided, key })}
      done={`${source.name} updated`}
      refresh={refreshSources}
      {...dialog}
    />
  )
}

function send(
  { id: sourceId, fingerprint }: Source,
  decision: Decision,
  { reason, endsAt, key }: { reason: string; endsAt: string; key: string },
): Promise<Source> {
  const path = { sourceId }
  switch (decision.kind) {
    case 'approve':
      return dataOf(
        approveSource({
          path,
          body: { desk: decision.desk, decision: 'approve', fingerprint, reason, endsAt },
          ...withKey(key),
        }),
      )
    case 'reject':
      return dataOf(
        approveSource({
          path,
          body: { desk: decision.desk, decision: 'reject', fingerprint, reason },
          ...withKey(key),
        }),
      )
    case 'enable':
      return dataOf(enableSource({ path, body: { fingerprint, reason, endsAt }, ...withKey(key) }))
    case 'disable':
      return dataOf(disableSource({ path, body: { reason }, ...withKey(key) }))
    case 'withdraw':
      return dataOf(withdrawSource({ path, body: { reason }, ...withKey(key) }))
    case 'revoke':
      return dataOf(revokeSourceDecision({ path, body: { decisionId: decision.decisionId, reason }, ...withKey(key) }))
  }
}
