import { Button, FileInput } from '@mantine/core'
import type { RegistryRound } from '@prospect/api-client'
import { IconFileText } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './registry.module.css'
import { refreshRounds, upload } from './registry.queries.ts'
import { ConfirmRoundDialog } from './round-dialogs.tsx'

/** The result of a round: its upload, what it says, and its confirmation. */
export function RoundResult({ round }: { round: RegistryRound }) {
  const canManage = useCan('registry.manage')
  const confirming = useDialog()
  const { result, state } = round
  const isOpen = state === 'awaiting_result'
  return (
    <>
      {result === null && !isOpen && <p>No result was uploaded.</p>}
      {result !== null && <Counts result={result} />}
      {isOpen && canManage && result?.status === 'ready' && (
        <Button onClick={() => confirming.open()}>Block the hits…</Button>
      )}
      {isOpen && canManage && result?.status !== 'reading' && <Upload key={result?.receivedAt} round={round} />}
      {confirming.slot((_, dialog) => (
        <ConfirmRoundDialog round={round} {...dialog} />
      ))}
    </>
  )
}

function Counts({ result }: { result: NonNullable<RegistryRound['result']> }) {
  const { status, refusal, counts, receivedAt, receivedBy, sha256 } = result
  return (
    <>
      {status === 'reading' && <p role="status">The result is being read. You can leave this page.</p>}
      {refusal !== null && (
        <p role="alert" className={classes.warning}>
          {localSentence(refusal)}
        </p>
      )}
      <Facts>
        <Fact label="Uploaded by">
          <By person={receivedBy} at={receivedAt} />
        </Fact>
        <Fact label="SHA-256">
          <code className={classes.hash}>{sha256}</code>
        </Fact>
        {counts !== null && (
          <>
            <Fact label="Lines">{formatNumber(counts.lines)}</Fact>
            <Fact label="Hits">
              <b>{countWords(counts.hits, 'value', 'values')}</b> on the list of the registry, not blocked yet
            </Fact>
            <Fact label="Already blocked">{formatNumber(counts.alreadyBlocked)}</Fact>
            <Fact label="Unknown">{countWords(counts.unknown, 'value', 'values')} without a prospect</Fact>
            <Fact label="Unreadable">{formatNumber(counts.unreadable)}</Fact>
            <Fact label="Not listed">{formatNumber(counts.clear)}</Fact>
            <Fact label="Repeated">{formatNumber(counts.repeated)}</Fact>
          </>
        )}
      </Facts>
    </>
  )
}

/** Upload of the answer of the registry. It replaces a result that was uploaded before. */
function Upload({ round }: { round: RegistryRound }) {
  const queryClient = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const sending = useMutation({
    meta: { notDone: 'Upload the result' },
    mutationFn: (chosen: File) => upload(round.id, chosen),
    onSettled: () => refreshRounds(queryClient),
  })
  return (
    <div className={classes.upload}>
      <FileInput
        label={round.result === null ? 'Answer of the registry' : 'Another file'}
        placeholder="Choose file"
        aria-label={`Answer of the registry: ${file === null ? 'Choose file' : nameText(file.name)}`}
        description="A CSV file with the listed values. Nothing is blocked before you confirm it."
        accept=".csv,.txt,text/csv,text/plain"
        leftSection={<IconFileText size={16} stroke={1.6} aria-hidden />}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove this file' }}
        value={file}
        disabled={sending.isPending}
        onChange={setFile}
      />
      <Button
        variant="default"
        disabled={file === null}
        loading={sending.isPending}
        onClick={() => file !== null && sending.mutate(file)}
      >
        Upload the result
      </Button>
      {sending.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(sending.error)}
        </p>
      )}
    </div>
  )
}
