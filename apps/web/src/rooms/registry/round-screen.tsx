import { Button } from '@mantine/core'
import type { RegistryRound } from '@prospect/api-client'
import { IconBan, IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { newestProgress } from '../../ui/jobs/job-pace.ts'
import { JobProgress } from '../../ui/jobs/job-progress.tsx'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { Certificate } from './certificate.tsx'
import classes from './registry.module.css'
import { download, refreshRounds, roundQuery, runningJob } from './registry.queries.ts'
import { formWords, scopeWords, stateMarks } from './registry-words.ts'
import { CancelRoundDialog } from './round-dialogs.tsx'
import { RoundResult } from './round-result.tsx'

export function RoundScreen() {
  const { roundId } = useParams({ from: '/desk/suppression/registry/$roundId' })
  const round = useQuery(roundQuery(roundId))
  return (
    <Page width="text" back={<BackLink to="/suppression/registry">Registry rounds</BackLink>}>
      <RecordBody record={round} what="this round" lines={10}>
        {(loaded) =>
          loaded.state === 'closed' ? <Certificate roundId={loaded.id} /> : <RoundView key={loaded.id} round={loaded} />
        }
      </RecordBody>
    </Page>
  )
}

/** A round that is not closed: its state, its file, its result and its confirmation. A closed one shows its certificate. */
export function RoundView({ round }: { round: RegistryRound }) {
  const queryClient = useQueryClient()
  const { events } = useFollowedJob(runningJob(round), () => void refreshRounds(queryClient))
  const cancelling = useDialog()
  const canCancel = round.state === 'preparing' || round.state === 'awaiting_result'
  const cancel: Action = {
    id: 'registry.cancel',
    label: 'Cancel this round',
    shortLabel: 'Cancel round',
    group: 'Do-not-contact list',
    Icon: IconBan,
    permission: 'registry.manage',
    unavailable: !canCancel,
    asksMore: true,
    run: () => cancelling.open(),
  }
  useActions('screen', [cancel])
  const progress = newestProgress(events)
  return (
    <>
      <PageHead
        title={
          <>
            Registry round of <DateTime at={round.createdAt} as="dateTime" />
          </>
        }
        tab="Registry round"
        lead={
          <div role="status">
            <StatusMark {...stateMarks[round.state]} />
          </div>
        }
        actions={<ActionButton action={cancel} iconSize={16} variant="default" />}
      />
      {runningJob(round) !== null && progress !== null && (
        <JobProgress progress={progress} isRunning title={stateMarks[round.state].label} />
      )}
      <TitledSection title="Round">
        <Facts>
          <Fact label="Compared">{scopeWords(round)}</Fact>
          <Fact label="Form">{formWords[round.form]}</Fact>
          <Fact label="Started by">
            <By person={round.createdBy} at={round.createdAt} />
          </Fact>
          {round.cancelledAt !== null && (
            <Fact label="Cancelled">
              <DateTime at={round.cancelledAt} as="dateTime" />: <Name of={round.cancelledBecause ?? ''} />
            </Fact>
          )}
        </Facts>
      </TitledSection>
      <TitledSection title="File">
        <RoundFile round={round} />
      </TitledSection>
      {round.state !== 'preparing' && (
        <TitledSection title="Result">
          <RoundResult round={round} />
        </TitledSection>
      )}
      {round.confirmation !== null && <Confirmation round={round} />}
      {cancelling.slot((_, dialog) => (
        <CancelRoundDialog round={round} {...dialog} />
      ))}
    </>
  )
}

function RoundFile({ round }: { round: RegistryRound }) {
  const { file, counts } = round
  if (file === null || counts === null)
    return <p>{round.state === 'preparing' ? 'Being written.' : 'No file was written.'}</p>
  return (
    <>
      <Facts>
        <Fact label="Values">{formatNumber(counts.values)}</Fact>
        <Fact label="Left out, blocked already">{formatNumber(counts.leftOut)}</Fact>
        <Fact label="SHA-256">
          <code className={classes.hash}>{round.fileSha256}</code>
        </Fact>
        {file.manifest.salt !== null && (
          <Fact label="Salt">
            <code className={classes.hash}>{file.manifest.salt}</code>
            <br />A line is the SHA-256 of the salt followed by the value, in hexadecimal.
          </Fact>
        )}
      </Facts>
      <Download round={round} />
    </>
  )
}

const goneWords = {
  expired: 'The file has expired. To write it again, cancel this round and start another one.',
  removed: 'The file was deleted.',
} as const

/** Download button of the file. The gate is asked again before each download, and a refusal is shown beside the button. */
function Download({ round }: { round: RegistryRound }) {
  const canManage = useCan('registry.manage')
  const fetching = useMutation({ meta: { notDone: 'Download the file' }, mutationFn: () => download(round) })
  const { file } = round
  if (file === null) return null
  if (file.status !== 'ready') return <p>{goneWords[file.status]}</p>
  if (!canManage) return null
  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden />}
        loading={fetching.isPending}
        onClick={() => fetching.mutate()}
      >
        Download the file
      </Button>
      <span className={classes.soft}>
        Until <DateTime at={file.expiresAt} as="dateTime" />. The audit log records each download.
      </span>
      {fetching.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(fetching.error)}
        </p>
      )}
    </div>
  )
}

function Confirmation({ round: { confirmation } }: { round: RegistryRound }) {
  if (confirmation === null) return null
  return (
    <TitledSection title="Confirmation">
      {confirmation.isStopped && (
        <p role="alert" className={classes.warning}>
          The run stopped before its end. What it blocked stays blocked. Upload the result again and confirm it to
          continue.
        </p>
      )}
      <Facts>
        <Fact label="Confirmed by">
          <By person={confirmation.by} at={confirmation.at} />
        </Fact>
        <Fact label="Reason">
          <GivenReason of={confirmation.reason} />
        </Fact>
      </Facts>
    </TitledSection>
  )
}
