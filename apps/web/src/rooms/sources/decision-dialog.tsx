import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  approveSource,
  disableSource,
  enableSource,
  revokeSourceDecision,
  type Source,
  withdrawSource,
} from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { EndDayField, useEndDay } from '../../ui/fields/end-day-field.tsx'
import type { Term } from '../../ui/text/end-day.ts'
import type { Desk } from './source-words.ts'
import { refreshSources } from './sources.queries.ts'

export type Decision =
  | { kind: 'approve' | 'reject'; desk: Desk }
  | { kind: 'enable' | 'disable' | 'withdraw' }
  | { kind: 'revoke'; decisionId: string; what: string }

type Words = { title: string; label: string; text: string; tone: 'normal' | 'danger'; term: Term | null }

function wordsOf(decision: Decision, { name }: Source): Words {
  switch (decision.kind) {
    case 'approve':
      return {
        title: `Approve ${name} for the ${decision.desk} desk?`,
        label: 'Approve',
        text: 'The approval covers this version and this connector as it is installed on the server now.',
        tone: 'normal',
        term: { usualDays: 180, maxDays: 366 },
      }
    case 'reject':
      return {
        title: `Reject ${name} for the ${decision.desk} desk?`,
        label: 'Reject',
        text: 'This version can no longer be approved. Save a new version to try again.',
        tone: 'danger',
        term: null,
      }
    case 'enable':
      return {
        title: `Enable ${name}?`,
        label: 'Enable',
        text: 'Requests are sent within the limits of the contract until the end of the last day.',
        tone: 'normal',
        term: { usualDays: 60, maxDays: 90 },
      }
    case 'disable':
      return {
        title: `Disable ${name}?`,
        label: 'Disable',
        text: 'No further requests are sent. Approvals are kept.',
        tone: 'danger',
        term: null,
      }
    case 'withdraw':
      return {
        title: `Withdraw ${name}?`,
        label: 'Withdraw',
        text: 'This cannot be undone. Its records and history are kept.',
        tone: 'danger',
        term: null,
      }
    case 'revoke':
      return {
        title: `Revoke ${decision.what}?`,
        label: 'Revoke',
        text: 'Takes effect with the next request. The source must then be approved or enabled again.',
        tone: 'danger',
        term: null,
      }
  }
}

/** Name of the draft of one decision: about this version, for this desk, or about this earlier decision. */
function draftNameOf(decision: Decision, { id, contractVersion }: Source): string {
  const about = `source-${id}-${contractVersion}-${decision.kind}`
  if ('desk' in decision) return `${about}-${decision.desk}`
  return 'decisionId' in decision ? `${about}-${decision.decisionId}` : about
}

type Props = { source: Source; decision: Decision; close: () => void; reopen: () => void }

/** Dialog for every decision about a source: a reason, an end date if the decision has one, and the server's result. */
export function DecisionDialog({ source, decision, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { title, label, text, tone, term } = wordsOf(decision, source)
  const end = useEndDay(term)
  return (
    <FormDialog
      title={title}
      submitLabel={label}
      tone={tone}
      what={title.replace(/\?$/, '')}
      isAction
      initial={{ reason: '', endsOn: end.usual }}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...end.problems(values),
      })}
      isUndoable
      fieldOf={(path) => (path === 'endsAt' ? 'endsOn' : path === 'reason' ? 'reason' : undefined)}
      send={({ reason, endsOn }, { key }) =>
        send(source, decision, { reason, endsAt: term === null ? '' : end.instant({ endsOn }), key })
      }
      onSaved={() => {
        void refreshSources(queryClient)
        notifications.show({ message: `${source.name} updated` })
        close()
      }}
      draft={{
        name: draftNameOf(decision, source),
        isBlank: ({ reason }) => reason.trim() === '',
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">{text}</Text>
          <ReasonField
            form={form}
            restored={restored}
            description="Stored in the history of the source"
            data-autofocus
          />
          {term !== null && <EndDayField end={end} {...form.getInputProps('endsOn')} />}
        </>
      )}
    </FormDialog>
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
