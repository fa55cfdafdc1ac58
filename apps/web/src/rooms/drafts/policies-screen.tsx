import { Button, NumberInput, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  approveDraftPolicy,
  type DraftPolicy,
  type DraftPolicyProposal,
  proposeDraftPolicy,
  rejectDraftPolicy,
  withdrawDraftPolicy,
} from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { dayFrom, notADay } from '../../ui/text/day.ts'
import { Name } from '../../ui/text/name.tsx'
import { basisWords, channelWords, policyStateWords } from './draft-words.ts'
import classes from './drafts.module.css'
import { policiesPaged, proposalsQuery, refreshDrafts } from './drafts.queries.ts'

type Decision = { kind: 'approve' | 'reject' | 'withdraw'; policy: DraftPolicy }
type Open = { kind: 'new' } | Decision | null

/** What a jurisdiction requires of a channel, as the workspace judges it. */
export function PoliciesScreen() {
  const canRead = useCan('drafts.read')
  const list = useInfiniteQuery({ ...policiesPaged, enabled: canRead })
  const proposals = useQuery({ ...proposalsQuery, enabled: canRead })
  const [open, setOpen] = useState<Open>(null)
  const add: Action = {
    id: 'draft_policies.propose',
    label: 'Propose a policy',
    group: 'Create',
    Icon: IconPlus,
    keys: 'n',
    permission: 'drafts.configure',
    asksMore: true,
    unavailable: proposals.data === undefined ? 'The proposals are loading.' : false,
    run: () => setOpen({ kind: 'new' }),
  }
  useActions('screen', [add])
  if (!canRead) return <NoPermission isPage what="draft policies" />
  const dialog = { close: () => setOpen(null), reopen: () => setOpen(open) }
  return (
    <Page
      width="text"
      title="Draft policies"
      lead="Without an approved policy for its jurisdiction and channel, no draft is approved. Another person approves a proposal."
      actions={<ActionButton action={add} iconSize={16} />}
    >
      <ListBody
        list={list}
        data={list.data}
        noun="policies"
        empty={<Empty title="No policies yet">Begin with a proposal for South Africa or the European Union.</Empty>}
      >
        {(items) => (
          <ul className={classes.rows} aria-label="Policies, newest first">
            {items.map((policy) => (
              <PolicyRow key={policy.id} policy={policy} open={setOpen} />
            ))}
          </ul>
        )}
      </ListBody>
      <DialogSlot>
        {open?.kind === 'new' && <ProposeDialog proposals={proposals.data?.items ?? []} {...dialog} />}
        {open !== null && open.kind !== 'new' && <DecideDialog decision={open} {...dialog} />}
      </DialogSlot>
    </Page>
  )
}

function PolicyRow({ policy, open }: { policy: DraftPolicy; open: (open: Open) => void }) {
  const canDecide = useCan('drafts.approve')
  const { state, decision, caps } = policy
  return (
    <li>
      <b>{policy.name}</b> · {policyStateWords[state]} · until <DateTime at={policy.endsAt} as="date" />
      <p className={classes.soft}>
        Accepts {policy.legalBases.map((kind) => basisWords[kind].toLowerCase()).join(', ')}. Copies: {caps.recipient}{' '}
        to one recipient in 30 days, {caps.person} a day by one person, {caps.tenant} a day in the workspace. Proposed
        by <Name of={policy.proposedBy.name} /> <DateTime at={policy.proposedAt} />
        {decision !== null && (
          <>
            {' · '}
            <Name of={decision.by.name} />: <Name of={decision.reason} />
          </>
        )}
      </p>
      {canDecide && (state === 'proposed' || state === 'approved') && (
        <div className={classes.actions}>
          {policy.mayDecide && (
            <Button size="compact-xs" variant="default" onClick={() => open({ kind: 'approve', policy })}>
              Approve…
            </Button>
          )}
          {state === 'proposed' && (
            <Button size="compact-xs" variant="default" onClick={() => open({ kind: 'reject', policy })}>
              Reject…
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={() => open({ kind: 'withdraw', policy })}>
            Withdraw…
          </Button>
        </div>
      )}
    </li>
  )
}

const labels = { approve: 'Approve', reject: 'Reject', withdraw: 'Withdraw' } as const
const effects = {
  approve: 'It replaces the version in force. Drafts that were approved under that one then need review.',
  reject: 'This version can no longer be approved.',
  withdraw: 'Drafts that were approved under it then need review.',
} as const
const calls = { approve: approveDraftPolicy, reject: rejectDraftPolicy, withdraw: withdrawDraftPolicy } as const

type DecideProps = { decision: Decision; close: () => void; reopen: () => void }

function DecideDialog({ decision: { kind, policy }, close, reopen }: DecideProps) {
  const queryClient = useQueryClient()
  return (
    <ReasonDialog
      draftName={`${kind}-policy-${policy.id}`}
      title={`${labels[kind]} ${policy.name}?`}
      confirmLabel={labels[kind]}
      tone={kind === 'approve' ? 'normal' : 'danger'}
      description="Stored with the policy"
      missing="Enter a reason."
      send={(reason, key) => dataOf(calls[kind]({ path: { policyId: policy.id }, body: { reason }, ...withKey(key) }))}
      sent={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: `${policy.name}: done.` })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      {effects[kind]}
    </ReasonDialog>
  )
}

const DAY_MS = 86_400_000
const keyOf = ({ jurisdiction, channel }: DraftPolicyProposal) => `${jurisdiction}/${channel}`

type Values = { proposal: string; optOutText: string; recipient: number; endsOn: string }
type ProposeProps = { proposals: readonly DraftPolicyProposal[]; close: () => void; reopen: () => void }

/** Begins with a shipped proposal; the person reads and adapts it. */
function ProposeDialog({ proposals, close, reopen }: ProposeProps) {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const first = proposals[0]
  return (
    <FormDialog<Values, DraftPolicy>
      title="Propose a policy"
      submitLabel="Propose policy"
      size="lg"
      what="the policy"
      initial={{
        proposal: first === undefined ? '' : keyOf(first),
        optOutText: first?.optOutText ?? '',
        recipient: 2,
        endsOn: new Date(serverNow().getTime() + 365 * DAY_MS).toISOString().slice(0, 10),
      }}
      validate={({ proposal, endsOn }): FieldErrors => ({
        ...(proposal === '' && { proposal: 'Choose a proposal.' }),
        ...(dayFrom(endsOn) === null && { endsOn: notADay(endsOn) }),
      })}
      fieldOf={(path) => (path === 'endsAt' ? 'endsOn' : path === 'optOutText' ? 'optOutText' : undefined)}
      send={({ proposal, optOutText, recipient, endsOn }, { key }) => {
        const chosen = proposals.find((one) => keyOf(one) === proposal)
        if (chosen === undefined) throw new Error('A proposal is chosen from the list.')
        const { label: _label, notes: _notes, caps, ...content } = chosen
        const body = {
          ...content,
          optOutText: optOutText.trim() === '' ? null : optOutText,
          caps: { ...caps, recipient },
          ownerId: user.id,
          endsAt: `${dayFrom(endsOn)}T00:00:00Z`,
        }
        return dataOf(proposeDraftPolicy({ body, ...withKey(key) }))
      }}
      onSaved={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: 'The policy is proposed. Another person approves it.' })
        close()
      }}
      draft={{ name: 'propose-draft-policy', gone: close }}
      close={close}
      reopen={reopen}
    >
      {({ form, values }) => {
        const chosen = proposals.find((one) => keyOf(one) === values.proposal)
        return (
          <>
            <Select
              label="Begin with"
              data-autofocus
              data={proposals.map((one) => ({
                value: keyOf(one),
                label: `${one.jurisdiction}, ${channelWords[one.channel].toLowerCase()}`,
              }))}
              {...form.getInputProps('proposal')}
            />
            {chosen !== undefined && (
              <Text size="sm">
                <b>{chosen.label}.</b> {chosen.notes.join(' ')}
              </Text>
            )}
            <Textarea
              label="Text to opt out"
              description="Shown by {{sender.optOut}}"
              maxLength={500}
              {...form.getInputProps('optOutText')}
            />
            <NumberInput
              label="Copies to one recipient in 30 days"
              min={1}
              max={2}
              {...form.getInputProps('recipient')}
            />
            <TypedTime of="day" label="Ends on" required {...form.getInputProps('endsOn')} />
          </>
        )
      }}
    </FormDialog>
  )
}
