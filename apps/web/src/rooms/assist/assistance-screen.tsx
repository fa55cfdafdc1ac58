import { Button } from '@mantine/core'
import type { AssistPolicy, AssistSuggestion } from '@prospect/api-client'
import { submitAssistPolicy } from '@prospect/api-client'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCan, useIsOwn } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './assist.module.css'
import { policiesQuery, refreshAssist, statusQuery, suggestionsQuery, usageQuery } from './assist.queries.ts'
import { policyWords, purposeWords, windowWords } from './assist-words.ts'
import { DecidePolicyDialog, type PolicyDecision } from './decide-policy-dialog.tsx'
import { NewPolicyDialog } from './new-policy-dialog.tsx'
import { MissingItems } from './status-items.tsx'

/** Shows the missing items of assistance, the policies of the workspace, and usage against budgets. */
export function AssistanceScreen() {
  const canDecide = useCan('assist.decide')
  return (
    <Page
      width="text"
      title="Assistance"
      lead="AI assistance is off until every item below is recorded and approved. Briefs work without AI."
    >
      <Status />
      {canDecide && <ProposedSuggestions />}
      <Policies />
      <Usage />
    </Page>
  )
}

function Status() {
  const read = useQuery(statusQuery)
  if (read.data === undefined) return <NotLoaded read={read} what="the status" lines={6} />
  const { enabled, items, source } = read.data
  return (
    <section aria-labelledby="assist-status">
      <h2 id="assist-status" className={classes.part}>
        Status
      </h2>
      {enabled ? (
        <p>
          Enabled{source !== null && <>, by the source {<Name of={source.name} />}</>}. People choose what to send,
          preview the text and approve each result. Nothing is sent automatically.
        </p>
      ) : (
        <>
          <p>
            <strong>Disabled.</strong> Nothing is sent to an AI provider.
          </p>
          <MissingItems items={items} />
        </>
      )}
    </section>
  )
}

/** Suggestions that wait for a decision. Each links to its prospect, whose page shows each claim with its quote. */
export function ProposedSuggestions() {
  const list = useInfiniteQuery(suggestionsQuery({ state: 'proposed' }))
  return (
    <section aria-labelledby="assist-proposed">
      <h2 id="assist-proposed" className={classes.part}>
        Suggestions to decide
      </h2>
      <ListBody
        list={list}
        data={list.data}
        noun="suggestions"
        lines={2}
        empty={
          <Empty title="No suggestion to decide">To request a suggestion, open the Assistance tab of a prospect.</Empty>
        }
      >
        {(suggestions) => (
          <ol className={classes.rows} aria-label="Suggestions to decide, newest first">
            {suggestions.map((suggestion) => (
              <ProposedRow key={suggestion.id} suggestion={suggestion} />
            ))}
          </ol>
        )}
      </ListBody>
    </section>
  )
}

function ProposedRow({ suggestion }: { suggestion: AssistSuggestion }) {
  const { businessId, purpose, requestedBy, requestedAt } = suggestion
  return (
    <li>
      <div>
        <Link to="/prospects/$businessId" params={{ businessId }} search={{ tab: 'assistance' }}>
          {purposeWords[purpose]}
        </Link>
        <p className={classes.meta}>
          Requested by <Name of={requestedBy.name} /> <DateTime at={requestedAt} />
          {useIsOwn(requestedBy) && ' · You requested this suggestion. Another person must approve it.'}
        </p>
      </div>
    </li>
  )
}

function Policies() {
  const list = useInfiniteQuery(policiesQuery)
  const writing = useDialog()
  const deciding = useDialog<PolicyDecision>()
  const canWrite = useCan('assist.configure')
  const write = canWrite && (
    <Button variant="default" onClick={() => writing.open()}>
      New version…
    </Button>
  )
  return (
    <section aria-labelledby="assist-policies">
      <h2 id="assist-policies" className={classes.part}>
        Policy versions
      </h2>
      <ListBody
        list={list}
        data={list.data}
        noun="policy versions"
        lines={3}
        empty={
          <Empty title="No policy yet" action={write}>
            A policy names the AI source, the data that may be sent, the budgets, and how long texts are stored. Another
            person approves the policy.
          </Empty>
        }
      >
        {(policies) => (
          <>
            {write}
            <ol className={classes.rows} aria-label="Policy versions, newest first">
              {policies.map((policy) => (
                <PolicyRow key={policy.id} policy={policy} decide={deciding.open} />
              ))}
            </ol>
          </>
        )}
      </ListBody>
      {writing.slot((_, dialog) => (
        <NewPolicyDialog {...dialog} />
      ))}
      {deciding.slot((decision, dialog) => (
        <DecidePolicyDialog {...decision} {...dialog} />
      ))}
    </section>
  )
}

function PolicyRow({ policy, decide }: { policy: AssistPolicy; decide: (decision: PolicyDecision) => void }) {
  const queryClient = useQueryClient()
  const canWrite = useCan('assist.configure')
  const canApprove = useCan('assist.approve_policies')
  const submit = useMutation({
    meta: { notDone: 'the submission' },
    mutationFn: () => dataOf(submitAssistPolicy({ path: { assistPolicyId: policy.id }, ...withKey(newKey()) })),
    onSuccess: () => refreshAssist(queryClient),
  })
  const { state, version, createdBy, createdAt, decision, missing } = policy
  return (
    <li>
      <div>
        <strong>Version {version}</strong> · {policyWords[state]}
        {decision?.endsAt != null && state === 'approved' && (
          <>
            {' '}
            until <DateTime at={decision.endsAt} as="date" />
          </>
        )}
        <p className={classes.meta}>
          Written by <Name of={createdBy.name} /> <DateTime at={createdAt} />
          {decision !== null && (
            <>
              {' · '}
              <Name of={decision.reason} />
            </>
          )}
        </p>
        {state === 'draft' && missing.length > 0 && (
          <p className={classes.meta}>Incomplete: {missing.join(', ')}. Create a version that includes these items.</p>
        )}
      </div>
      <div className={classes.actions}>
        {canWrite && state === 'draft' && missing.length === 0 && (
          <Button size="xs" variant="default" loading={submit.isPending} onClick={() => submit.mutate()}>
            Submit for approval
          </Button>
        )}
        {canApprove && state === 'in_review' && (
          <>
            <Button size="xs" onClick={() => decide({ policy, decision: 'approve' })}>
              Approve…
            </Button>
            <Button size="xs" variant="default" onClick={() => decide({ policy, decision: 'reject' })}>
              Reject…
            </Button>
          </>
        )}
        {canWrite && state === 'approved' && (
          <Button size="xs" variant="default" onClick={() => decide({ policy, decision: 'withdraw' })}>
            Withdraw…
          </Button>
        )}
      </div>
    </li>
  )
}

function Usage() {
  const read = useQuery(usageQuery)
  if (read.data === undefined) return <NotLoaded read={read} what="usage" lines={4} />
  const { tenant, currency } = read.data
  return (
    <section aria-labelledby="assist-usage">
      <h2 id="assist-usage" className={classes.part}>
        Usage
      </h2>
      {tenant.length === 0 ? (
        <p>Usage appears here after AI assistance is enabled.</p>
      ) : (
        <FixedTable>
          <thead>
            <tr>
              <th scope="col">Budget{currency !== null && `, costs in cents of ${currency}`}</th>
              <th scope="col">Used</th>
              <th scope="col">Reserved</th>
              <th scope="col">Limit</th>
            </tr>
          </thead>
          <tbody>
            {tenant.map(({ window, limit, reserved, settled }) => (
              <tr key={window}>
                <th scope="row">{windowWords[window]}</th>
                <td>{formatNumber(settled)}</td>
                <td>{formatNumber(reserved)}</td>
                <td>{formatNumber(limit)}</td>
              </tr>
            ))}
          </tbody>
        </FixedTable>
      )}
    </section>
  )
}
