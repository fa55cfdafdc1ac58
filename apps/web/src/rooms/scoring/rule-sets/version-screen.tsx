import {
  createRuleSetVersion,
  createScoringPreview,
  type ScoringPreview,
  type ScoringVersion,
} from '@prospect/api-client'
import { IconCheck, IconCopy, IconEye, IconPencil, IconRefresh, IconSend } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, isOffered, useActions } from '../../../ui/actions/actions.ts'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan, useIsOwn, useSession } from '../../../ui/api/session.ts'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { useIdempotencyKey } from '../../../ui/forms/use-idempotency-key.ts'
import { useIsMounted } from '../../../ui/forms/use-is-mounted.ts'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../../ui/layout/facts.tsx'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { StickyFooter } from '../../../ui/layout/sticky.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { activeScoringQuery } from '../../../ui/prospects/active-scoring.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { listWords } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { PreviewResult } from '../previews/preview-result.tsx'
import { PreviewSummary } from '../previews/preview-summary.tsx'
import { StartRunDialog } from '../runs/start-run-dialog.tsx'
import classes from '../scoring.module.css'
import { previewPermission, previewQuery, refreshScoring, ruleSetQuery, versionQuery } from '../scoring.queries.ts'
import { VersionComparison } from './version-comparison.tsx'
import { VersionContent } from './version-content.tsx'
import { DecideVersionDialog, type Decision, pathOf, StepDialog } from './version-dialogs.tsx'
import { VersionStateMark } from './version-state.tsx'
import { nextWords, stepsOf } from './version-words.ts'

/** Page of a version: its rules, their effects, its approval and its history. */
export function VersionScreen() {
  const { ruleSetId, version: number } = useParams({ from: '/desk/scoring/rule-sets/$ruleSetId/versions/$version' })
  const version = useQuery(versionQuery(ruleSetId, number))
  return (
    <RecordBody record={version} what="this version" lines={12}>
      {(loaded) => <VersionPage key={`${ruleSetId} ${number}`} version={loaded} />}
    </RecordBody>
  )
}

type Open = 'run' | 'submit' | 'withdraw' | Decision

export function VersionPage({ version }: { version: ScoringVersion }) {
  const { ruleSetId, version: number, state } = version
  const ruleSet = useQuery(ruleSetQuery(ruleSetId)).data
  const active = useQuery(activeScoringQuery).data?.active ?? null
  const isActive = active !== null && active.ruleSet.id === ruleSetId && active.version === number
  const preview = useQuery({
    ...previewQuery(version.currentPreviewId ?? '', useCan(previewPermission)),
    enabled: version.currentPreviewId !== null,
  })
  const dialog = useDialog<Open>()
  const { permissions } = useSession()
  const { actions, runPreview, failure, previewFailure } = useVersionActions(version, {
    preview: preview.data,
    isActive,
    open: dialog.open,
  })
  return (
    <Page
      width="text"
      title={`Version ${number}`}
      tab={ruleSet === undefined ? `Version ${number}` : `Version ${number} of ${nameText(ruleSet.name)}`}
      lead={
        <p>
          <VersionStateMark state={state} /> {nextWords(state, isActive)}
        </p>
      }
      back={
        <BackLink to="/scoring/rule-sets/$ruleSetId" params={{ ruleSetId }}>
          {ruleSet === undefined ? 'Rule set' : <Name of={ruleSet.name} />}
        </BackLink>
      }
      actions={actions.map((action) => (
        <ActionButton key={action.id} action={action} variant={action === actions[0] ? 'filled' : 'default'} />
      ))}
    >
      {failure !== null && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(failure)}
        </p>
      )}
      <Problems version={version} />
      <TitledSection title="Approval">
        <Approval version={version} />
      </TitledSection>
      <TitledSection title="Rules">
        <VersionContent version={version} />
      </TitledSection>
      <TitledSection title="Changes">
        <VersionComparison version={version} />
      </TitledSection>
      <TitledSection title="Full preview" id="full-preview">
        {version.currentPreviewId === null ? (
          <p className={classes.note}>
            These rules have no full preview yet. A preview counts the scores that these rules would change, and changes
            no score.
          </p>
        ) : preview.data === undefined ? (
          <NotLoaded read={preview} what="the preview" lines={6} />
        ) : (
          <PreviewResult preview={preview.data} />
        )}
      </TitledSection>
      {(isOffered(runPreview, permissions) || preview.data !== undefined) && (
        <StickyFooter
          summary={<PreviewSummary preview={preview.data} />}
          failure={
            previewFailure !== null && (
              <p role="alert" className="pp-refusal">
                {sentenceOf(previewFailure)}
              </p>
            )
          }
        >
          <ActionButton action={runPreview} variant="default" />
        </StickyFooter>
      )}
      {dialog.slot((open, props) => {
        if (open === 'run') return <StartRunDialog ruleSetId={ruleSetId} version={number} {...props} />
        if (open === 'submit' || open === 'withdraw')
          return <StepDialog version={version} step={open} close={props.close} />
        return <DecideVersionDialog version={version} decision={open} previewId={version.currentPreviewId} {...props} />
      })}
    </Page>
  )
}

type ActionOptions = {
  preview: ScoringPreview | undefined
  isActive: boolean
  open: (open: Open) => void
}

/** Actions on a version in its current state. */
function useVersionActions(version: ScoringVersion, { preview, isActive, open }: ActionOptions) {
  const { state } = version
  const { user } = useSession()
  const navigate = useNavigate()
  const start = useStartPreview(version)
  const create = useNewVersion(version)
  const isPreviewed = preview?.status === 'complete'
  const isBeingMade = preview !== undefined && (preview.status === 'queued' || preview.status === 'running')
  const group = 'Version'
  const { submittedBy } = version
  const isSubmitter = useIsOwn(submittedBy)
  const mayApprove = version.approvers.some(({ id }) => id === user.id)
  const runPreview: Action = {
    id: 'scoring.preview',
    label: 'Run full preview',
    group,
    Icon: IconEye,
    permission: 'scoring.write',
    isBusy: start.isPending,
    unavailable:
      state === 'rejected' || state === 'retired'
        ? true
        : version.problems.length > 0
          ? 'Correct the rules first.'
          : isBeingMade && 'A preview is running.',
    run: () => start.mutate(),
  }
  const actions: Action[] = [
    {
      id: 'scoring.recalculate',
      label: 'Recalculate',
      group,
      Icon: IconRefresh,
      permission: 'scoring.recalculate',
      asksMore: true,
      unavailable: state !== 'approved',
      run: () => open('run'),
    },
    {
      id: 'scoring.edit',
      label: 'Edit draft',
      shortLabel: 'Edit',
      group,
      Icon: IconPencil,
      keys: 'e',
      permission: 'scoring.write',
      unavailable: state !== 'draft',
      run: () => void navigate({ to: '/scoring/rule-sets/$ruleSetId/versions/$version/edit', params: pathOf(version) }),
    },
    {
      id: 'scoring.submit',
      label: 'Submit for approval',
      shortLabel: 'Submit',
      group,
      Icon: IconSend,
      permission: 'scoring.write',
      asksMore: true,
      unavailable: state === 'draft' ? notSubmittable(version, isPreviewed) : true,
      run: () => open('submit'),
    },
    {
      id: 'scoring.approve',
      label: 'Approve',
      group,
      Icon: IconCheck,
      permission: 'scoring.approve',
      asksMore: true,
      unavailable:
        state !== 'submitted'
          ? true
          : mayApprove
            ? !isPreviewed && 'Run a full preview of these rules first.'
            : 'You edited or submitted this version, so another person must approve it.',
      run: () => open('approve'),
    },
    {
      id: 'scoring.reject',
      label: 'Reject',
      group,
      permission: 'scoring.approve',
      isDangerous: true,
      asksMore: true,
      unavailable: state !== 'submitted',
      run: () => open('reject'),
    },
    {
      id: 'scoring.withdraw',
      label: 'Withdraw',
      group,
      permission: 'scoring.write',
      asksMore: true,
      unavailable: state !== 'submitted' || !isSubmitter,
      run: () => open('withdraw'),
    },
    {
      id: 'scoring.copy',
      label: 'New version from this',
      shortLabel: 'New version',
      group,
      Icon: IconCopy,
      permission: 'scoring.write',
      isBusy: create.isPending,
      unavailable: state === 'draft',
      run: () => create.mutate(),
    },
    {
      id: 'scoring.retire',
      label: 'Retire',
      group,
      permission: 'scoring.approve',
      isDangerous: true,
      asksMore: true,
      unavailable:
        state !== 'approved' ? true : isActive && 'The scores of this version are active. Activate other scores first.',
      run: () => open('retire'),
    },
  ]
  useActions('screen', [...actions, runPreview])
  return {
    actions: actions.filter(({ unavailable }) => unavailable !== true),
    runPreview,
    failure: create.error,
    previewFailure: start.error,
  }
}

function notSubmittable(version: ScoringVersion, isPreviewed: boolean): string | false {
  if (version.problems.length > 0) return 'Correct the rules first.'
  if (version.rollbackPlan === null) return 'Write a rollback plan first.'
  return !isPreviewed && 'Run a full preview of these rules first.'
}

function useStartPreview(version: ScoringVersion) {
  const queryClient = useQueryClient()
  const { keyFor, done } = useIdempotencyKey()
  return useMutation({
    meta: { notDone: 'Run full preview' },
    mutationFn: () => {
      const path = pathOf(version)
      const { contentHash } = version
      return dataOf(createScoringPreview({ path, body: {}, ...withKey(keyFor({ path, contentHash })) }))
    },
    onSuccess: () => {
      done()
      return refreshScoring(queryClient)
    },
  })
}

function useNewVersion({ ruleSetId, version }: ScoringVersion) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isHere = useIsMounted()
  const { keyFor, done } = useIdempotencyKey()
  return useMutation({
    meta: { notDone: 'Create new version' },
    mutationFn: () => {
      const body = { basedOn: version }
      return dataOf(createRuleSetVersion({ path: { ruleSetId }, body, ...withKey(keyFor(body)) }))
    },
    onSuccess: async (made) => {
      done()
      await refreshScoring(queryClient)
      if (isHere()) {
        const params = { ruleSetId, version: String(made.version) }
        void navigate({ to: '/scoring/rule-sets/$ruleSetId/versions/$version', params })
      }
    },
  })
}

/** Errors that prevent a draft from being submitted, and warnings. */
function Problems({ version: { problems, warnings } }: { version: ScoringVersion }) {
  if (problems.length + warnings.length === 0) return null
  return (
    <section aria-label="Problems" className={classes.stack}>
      {problems.length > 0 && (
        <div className={classes.danger}>
          <p>These rules cannot be used yet:</p>
          <ul>
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <Name of={message} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {warnings.length > 0 && (
        <div className={classes.warning}>
          <ul>
            {warnings.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <Name of={message} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

/** Authors, approvers, rollback plan and decision of a version. */
function Approval({ version }: { version: ScoringVersion }) {
  const { editors, approvers, state, rollbackPlan, tenant } = version
  const names = (people: readonly { name: string }[]) => listWords(people.map(({ name }) => nameText(name)))
  return (
    <Facts>
      <Fact label="Applies to">
        The workspace <Name of={tenant.name} />
      </Fact>
      <Fact label="Edited by">{editors.length === 0 ? 'Nobody in this workspace' : names(editors)}</Fact>
      {(state === 'draft' || state === 'submitted') && (
        <Fact label="May approve">
          {approvers.length === 0
            ? 'Nobody. The approval needs a manager or an administrator who did not edit or submit this version.'
            : names(approvers)}
        </Fact>
      )}
      <Fact label="Rollback plan">
        <span className={classes.plan}>{rollbackPlan === null ? 'Not written yet' : <Name of={rollbackPlan} />}</span>
      </Fact>
      <Fact label="Fingerprint">
        <code>{version.contentHash}</code>
      </Fact>
      <Fact label="History">
        <ol className={classes.steps} aria-label="Steps of the version">
          {stepsOf(version).map(({ state: to, words, at, by, reason }) => (
            <li key={to}>
              {words} <DateTime at={at} as="dateTime" />
              {by !== null && (
                <>
                  {' '}
                  by <Name of={by.name} />
                </>
              )}
              {reason !== null && (
                <>
                  : <GivenReason of={reason} isQuoted />
                </>
              )}
            </li>
          ))}
        </ol>
      </Fact>
    </Facts>
  )
}
