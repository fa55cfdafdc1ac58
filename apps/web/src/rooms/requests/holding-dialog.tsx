import { Button, Group, Loader, Text } from '@mantine/core'
import type { Holding } from '@prospect/api-client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { collect, downloadHolding, type HoldingAbout, holdingQuery } from './holdings.queries.ts'

type Props = { about: HoldingAbout; name: string; close: () => void }

/** Dialog of a record. */
export function RecordHoldingDialog({ business, close }: OpenProps) {
  return <HoldingDialog about={{ businessId: business.id }} name={nameText(business.name)} close={close} />
}

/** Collects everything held about a prospect or a value, follows the job, and downloads the file. */
export function HoldingDialog({ about, name, close }: Props) {
  const [made, setMade] = useState<Holding | null>(null)
  return (
    <Dialog onClose={close} title={`Everything held about ${name}`}>
      {made === null ? <Ask about={about} close={close} done={setMade} /> : <Made made={made} close={close} />}
    </Dialog>
  )
}

function Ask({ about, close, done }: Omit<Props, 'name'> & { done: (made: Holding) => void }) {
  const save = useSaveForm({
    initial: {},
    send: (_values: Record<string, never>, { key }) => collect(about, key),
    onSaved: done,
    what: 'Collect everything held',
    isAction: true,
    fieldOf: () => undefined,
  })
  return (
    <SaveForm
      save={save}
      actions={
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={close} disabled={save.isSaving}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isSaving} data-autofocus>
            Collect
          </Button>
        </Group>
      }
    >
      <Text size="sm">
        One file with facts, evidence, notes, interactions, drafts, scans, scores, audit events and entries of the
        do-not-contact list. It says where each value is from, and marks what is do not contact.
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        The file contains suppressed values and sensitive notes. It is deleted after a day. The audit log records who
        collected and who downloaded it.
      </Text>
    </SaveForm>
  )
}

function Made({ made, close }: { made: Holding; close: () => void }) {
  const { data: current = made, refetch } = useQuery({ ...holdingQuery(made.id), initialData: made })
  const isGoing = current.status === 'preparing'
  useFollowedJob(isGoing ? current.jobId : null, () => void refetch())
  return (
    <>
      <div role="status">
        {current.status === 'preparing' ? (
          <Group gap="sm">
            <Loader size={18} aria-hidden />
            <b>Collecting</b>
          </Group>
        ) : (
          <b>{statusWords[current.status]}</b>
        )}
      </div>
      {current.file !== null && (
        <Text size="sm" mt="xs">
          {countWords(current.file.rows, 'row', 'rows')} about {countWords(current.file.records, 'record', 'records')},
          until <DateTime at={current.file.expiresAt} as="dateTime" />.
          {current.file.leftOut.length > 0 && ` Your role does not include: ${current.file.leftOut.join(', ')}.`}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={close}>
          Close
        </Button>
        {current.status === 'ready' && <Downloads made={current} />}
      </Group>
    </>
  )
}

const statusWords: Record<Exclude<Holding['status'], 'preparing'>, string> = {
  ready: 'Collected',
  failed: 'The file was not written. Collect it again.',
  expired: 'The file has expired. Collect it again.',
  removed: 'A prospect was erased, so this file was deleted. Collect it again.',
}

function Downloads({ made }: { made: Holding }) {
  const fetching = useMutation({
    meta: { notDone: 'Download everything held' },
    mutationFn: (format: 'html' | 'json') => downloadHolding(made, format),
  })
  return (
    <>
      {fetching.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(fetching.error)}
        </p>
      )}
      <Button variant="default" loading={fetching.isPending} onClick={() => fetching.mutate('json')}>
        Download JSON
      </Button>
      <Button loading={fetching.isPending} onClick={() => fetching.mutate('html')}>
        Download page
      </Button>
    </>
  )
}
