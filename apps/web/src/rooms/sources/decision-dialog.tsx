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
import { serverNow } from '../../ui/api/server-clock.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { dayFrom, notADay } from '../../ui/text/day.ts'
import type { Desk } from './source-words.ts'
import { refreshSources } from './sources.queries.ts'

const DAY_MS = 86_400_000

export type Decision =
  | { kind: 'approve' | 'reject'; desk: Desk }
  | { kind: 'enable' | 'disable' | 'withdraw' }
  | { kind: 'revoke'; decisionId: string; what: string }

type Words = { title: string; label: string; text: string; tone: 'normal' | 'danger'; days: number | null }

function wordsOf(decision: Decision, { name }: Source): Words {
  switch (decision.kind) {
    case 'approve':
      return {
        title: `Approve ${name} for the ${decision.desk} desk?`,
        label: 'Approve',
        text: 'The approval covers this version, this adapter and this ADAPTERS_FILE. It ends on this date, at most 366 days from now.',
        tone: 'normal',
        days: 180,
      }
    case 'reject':
      return {
        title: `Reject ${name} for the ${decision.desk} desk?`,
        label: 'Reject',
        text: 'This version can no longer be approved. Save a new version to try again.',
        tone: 'danger',
        days: null,
      }
    case 'enable':
      return {
        title: `Enable ${name}?`,
        label: 'Enable',
        text: 'Requests are sent within the limits of the contract until this date, at most 90 days from now.',
        tone: 'normal',
        days: 60,
      }
    case 'disable':
      return {
        title: `Disable ${name}?`,
        label: 'Disable',
        text: 'No further requests are sent. Approvals are kept.',
        tone: 'danger',
        days: null,
      }
    case 'withdraw':
      return {
        title: `Withdraw ${name}?`,
        label: 'Withdraw',
        text: 'This cannot be undone. Its records and history are kept.',
        tone: 'danger',
        days: null,
      }
    case 'revoke':
      return {
        title: `Revoke ${decision.what}?`,
        label: 'Revoke',
        text: 'Takes effect with the next request. The source must then be approved or enabled again.',
        tone: 'danger',
        days: null,
      }
  }
}

type Props = { source: Source; decision: Decision; close: () => void; reopen: () => void }

/** Dialog for every decision about a source: a reason, an end date if the decision has one, and the server's result. */
export function DecisionDialog({ source, decision, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { title, label, text, tone, days } = wordsOf(decision, source)
  const endsOn = days === null ? '' : new Date(serverNow().getTime() + days * DAY_MS).toISOString().slice(0, 10)
  return (
    <FormDialog
      title={title}
      submitLabel={label}
      tone={tone}
      what={title.replace(/\?$/, '')}
      isAction
      initial={{ reason: '', endsOn }}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...(days !== null && dayFrom(values.endsOn) === null && { endsOn: notADay(values.endsOn) }),
      })}
      isUndoable
      fieldOf={(path) => (path === 'endsAt' ? 'endsOn' : path === 'reason' ? 'reason' : undefined)}
      send={(values, { key }) => send(source, decision, { ...values, key })}
      onSaved={() => {
        void refreshSources(queryClient)
        notifications.show({ message: `${source.name} updated` })
        close()
      }}
      draft={{
        name: `source-${decision.kind}-${source.id}`,
        isBlank: ({ reason }) => reason.trim() === '',
        gone: close,
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
          {days !== null && (
            <TypedTime of="day" direction="future" label="Ends on" required {...form.getInputProps('endsOn')} />
          )}
        </>
      )}
    </FormDialog>
  )
}

function send(
  { id: sourceId, fingerprint }: Source,
  decision: Decision,
  { reason, endsOn, key }: { reason: string; endsOn: string; key: string },
): Promise<Source> {
  const path = { sourceId }
  const endsAt = `${dayFrom(endsOn)}T00:00:00Z`
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
