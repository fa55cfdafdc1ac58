import { Button } from '@mantine/core'
import { approveDraftPolicy, type DraftPolicy, rejectDraftPolicy, withdrawDraftPolicy } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { fieldName } from '../../ui/text/field-names.ts'
import { dayIn, formatDay } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { mergeFieldName } from './draft-values.ts'
import { basisWords, policyStateWords, policyTitle } from './draft-words.ts'
import classes from './drafts.module.css'
import { policiesPaged, proposalsQuery, refreshDrafts } from './drafts.queries.ts'
import { ProposePolicyDialog } from './propose-policy-dialog.tsx'

type Decision = { kind: 'approve' | 'reject' | 'withdraw'; policy: DraftPolicy }

/** Requirements of the workspace by jurisdiction and channel. */
export function PoliciesScreen() {
  const list = useInfiniteQuery(policiesPaged)
  const proposals = useQuery(proposalsQuery)
  const proposing = useDialog()
  const deciding = useDialog<Decision>()
  const add: Action = {
    id: 'draft_policies.propose',
    label: 'Propose a policy',
    group: 'Create',
    Icon: IconPlus,
    keys: 'shift+n',
    permission: 'drafts.configure',
    asksMore: true,
    unavailable: proposals.data === undefined ? 'The proposals are loading.' : false,
    run: () => proposing.open(),
  }
  useActions('screen', [add])
  const inForce = (list.data?.items ?? []).filter(({ state }) => state === 'approved')
  return (
    <Page
      width="text"
      title="Draft policies"
      lead="A draft needs an approved policy for its country and channel. A person who did not propose the policy must approve it."
      actions={<ActionButton action={add} iconSize={16} />}
    >
      <ListBody
        list={list}
        data={list.data}
        noun="policies"
        empty={<Empty title="No policies yet">Start with the proposal for South Africa or the European Union.</Empty>}
      >
        {(items) => (
          <ul className={classes.rows} aria-label="Policies, newest first">
            {items.map((policy) => (
              <PolicyRow key={policy.id} policy={policy} decide={deciding.open} />
            ))}
          </ul>
        )}
      </ListBody>
      {proposing.slot((_, dialog) => (
        <ProposePolicyDialog starts={[...(proposals.data?.items ?? []), ...inForce]} {...dialog} />
      ))}
      {deciding.slot(({ kind, policy }, dialog) => (
        <DecisionDialog
          {...decisions[kind]}
          title={`${decisions[kind].label} policy: ${policyTitle(policy)}?`}
          reason="Stored with the policy"
          draftName={`${kind}-policy-${policy.id}`}
          send={({ reason }, key) =>
            dataOf(calls[kind]({ path: { policyId: policy.id }, body: { reason }, ...withKey(key) }))
          }
          done={`${policyTitle(policy)}: done.`}
          refresh={refreshDrafts}
          {...dialog}
        />
      ))}
    </Page>
  )
}

function PolicyRow({ policy, decide }: { policy: DraftPolicy; decide: (decision: Decision) => void }) {
  const canDecide = useCan('drafts.approve')
  const { state, decision, caps, requiredFields, freshnessDays, acknowledgeable, contactHours, registryDays } = policy
  const { other, ...single } = freshnessDays as Record<string, number>
  return (
    <li>
      <b>{policyTitle(policy)}</b> · {policyStateWords[state]} · until <DateTime at={policy.endsAt} as="date" />
      <p className={classes.soft}>
        Accepts {policy.legalBases.map((kind) => basisWords[kind].toLowerCase()).join(', ')}. Copies: {caps.recipient}{' '}
        to one recipient in 30 days, {caps.person} a day by one person, {caps.tenant} a day in the workspace. Evidence
        may be {other} days old
        {Object.entries(single).map(([field, days]) => `, ${fieldName(field).toLowerCase()} ${days}`)}; uncertain facts
        are {acknowledgeable.includes('low_confidence') ? 'accepted with a reason' : 'not accepted'}. Copies outside of
        contact hours are {contactHours === 'refuse' ? 'refused' : 'possible, with a warning'}.{' '}
        {registryDays === null
          ? 'No registry round is required.'
          : `A registry round counts for ${countWords(registryDays, 'day', 'days')}.`}
        {policy.basisForm === 'any' && ' A legal basis of unknown form is accepted.'}
        {requiredFields.length > 0 && ` Every text contains ${requiredFields.map(mergeFieldName).join(', ')}.`}
      </p>
      <Sources policy={policy} />
      <p className={classes.soft}>
        Owner <Name of={policy.owner.name} />. Proposed by <Name of={policy.proposedBy.name} />{' '}
        <DateTime at={policy.proposedAt} />
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
            <Button size="compact-xs" variant="default" onClick={() => decide({ kind: 'approve', policy })}>
              Approve…
            </Button>
          )}
          {state === 'proposed' && (
            <Button size="compact-xs" variant="default" onClick={() => decide({ kind: 'reject', policy })}>
              Reject…
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={() => decide({ kind: 'withdraw', policy })}>
            Withdraw…
          </Button>
        </div>
      )}
    </li>
  )
}

function Sources({ policy: { sources, reviewBy, state } }: { policy: DraftPolicy }) {
  const { timeZone } = useSession().tenant
  const isDue = state === 'approved' && reviewBy !== null && reviewBy < dayIn(serverNow().toISOString(), timeZone)
  return (
    <>
      {reviewBy !== null && (
        <p className={isDue ? classes.warning : classes.soft}>
          {isDue
            ? `The sources were due to be compared with the law by ${formatDay(reviewBy)}. Compare them, and propose a new version.`
            : `The sources must be compared with the law by ${formatDay(reviewBy)}.`}
        </p>
      )}
      {sources.length > 0 && (
        <details>
          <summary>{countWords(sources.length, 'source', 'sources')}</summary>
          <ul>
            {sources.map((source) => (
              <li key={source}>
                <Name of={source} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

const decisions = {
  approve: {
    label: 'Approve',
    next: 'This version replaces the version in force. Drafts that were approved under the earlier version need approval again.',
    tone: 'normal',
  },
  reject: { label: 'Reject', next: 'This version can no longer be approved.', tone: 'danger' },
  withdraw: { label: 'Withdraw', next: 'Drafts that were approved under it need approval again.', tone: 'danger' },
} as const
const calls = { approve: approveDraftPolicy, reject: rejectDraftPolicy, withdraw: withdrawDraftPolicy } as const
