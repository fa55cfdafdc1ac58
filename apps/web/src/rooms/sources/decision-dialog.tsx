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
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { DayField } from '../../ui/fields/day-field.tsx'
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
        text: 'The approval is for this version, this adapter and this ADAPTERS_FILE. It ends on the day that you choose, within 366 days.',
        tone: 'normal',
        days: 180,
      }
    case 'reject':
      return {
        title: `Reject ${name} for the ${decision.desk} desk?`,
        label: 'Reject',
        text: 'This version can then not be approved any more. A new version begins anew.',
        tone: 'danger',
        days: null,
      }
    case 'enable':
      return {
        title: `Enable ${name}?`,
        label: 'Enable',
        text: 'From then on requests are sent within the limits of the contract, until the day that you choose, within 90 days.',
        tone: 'normal',
        days: 60,
      }
    case 'disable':
      return {
        title: `Disable ${name}?`,
        label: 'Disable',
        text: 'No further request is sent. The approvals stay.',
        tone: 'danger',
        days: null,
      }
    case 'withdraw':
      return {
        title: `Withdraw ${name}?`,
        label: 'Withdraw',
        text: 'The source ends for good. Its records and its history stay.',
        tone: 'danger',
        days: null,
      }
    case 'revoke':
      return {
        title: `Revoke ${decision.what}?`,
        label: 'Revoke',
        text: 'It ends with the next request. The source must then be approved or enabled again.',
        tone: 'danger',
        days: null,
      }
  }
}

type Props = { source: Source; decision: Decision; close: () => void; reopen: () => void }

/** Every decision about a source: a reason, an end where it has one, and what the server made of it. */
export function DecisionDialog({ source, decision, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { title, label, text, tone, days } = wordsOf(decision, source)
  const [endsOn, setEndsOn] = useState(
    days === null ? undefined : new Date(serverNow().getTime() + days * DAY_MS).toISOString().slice(0, 10),
  )
  return (
    <ReasonDialog
      draftName={`source-${decision.kind}-${source.id}`}
      title={title}
      confirmLabel={label}
      tone={tone}
      description="It stays in the history of the source"
      missing="Write a reason. Without one nothing is decided."
      mayBeUndone
      payload={{ decision, endsOn }}
      isReady={() => days === null || endsOn !== undefined}
      more={days === null ? undefined : <DayField label="Ends on" value={endsOn} onChange={setEndsOn} />}
      send={(reason, key) => send(source, decision, { reason, endsOn, key })}
      sent={() => {
        void refreshSources(queryClient)
        notifications.show({ message: `${source.name}: done.` })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">{text}</Text>
    </ReasonDialog>
  )
}

function send(
  { id: sourceId, fingerprint }: Source,
  decision: Decision,
  { reason, endsOn = '', key }: { reason: string; endsOn: string | undefined; key: string },
): Promise<Source> {
  const path = { sourceId }
  const endsAt = `${endsOn}T00:00:00Z`
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
