import { Button, Group, Loader, Radio, Text } from '@mantine/core'
import type { Export } from '@prospect/api-client'
import { cancelJob, createExport } from '@prospect/api-client'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { newestProgress } from '../../ui/jobs/job-pace.ts'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { workspaceLocale } from '../../ui/text/locale.ts'
import status from '../../ui/text/status.module.css'
import { ExportStatus } from './export-status.tsx'
import { countedOf, holdingWords, layoutOf, removedWords, sizeWords } from './export-words.ts'
import classes from './exports.module.css'
import { download, exportQuery, exportsKey, failureQuery, isUnderWay, type NewExport } from './exports.queries.ts'

/** Content of an export, with its description. */
export type ExportRequest = { words: string } & (
  | { source: 'prospects'; filter: NonNullable<NewExport['filter']> }
  | { source: 'report'; reportId: string }
  | { source: 'audit'; auditFilter: NonNullable<NewExport['auditFilter']> }
)

const titles = { prospects: 'Export prospects', report: 'Export figures', audit: 'Export audit events' } as const

/** Dialog to configure an export, follow its progress and download it. The export continues if the dialog is closed. */
export function ExportDialog({ wanted, close }: { wanted: ExportRequest; close: () => void }) {
  const [made, setMade] = useState<Export | null>(null)
  return (
    <Dialog onClose={close} title={titles[wanted.source]}>
      {made === null ? <Ask wanted={wanted} close={close} done={setMade} /> : <Made made={made} close={close} />}
    </Dialog>
  )
}

type FileChoice = 'spreadsheet' | 'csv' | 'jsonl'
type Suppressed = Export['suppressed']

const separatorOptions = [
  { value: 'semicolon', label: 'Semicolon' },
  { value: 'comma', label: 'Comma' },
]
const decimalOptions = [
  { value: 'comma', label: 'Comma, 1,5' },
  { value: 'point', label: 'Point, 1.5' },
]

function Ask({ wanted, close, done }: { wanted: ExportRequest; close: () => void; done: (made: Export) => void }) {
  const queryClient = useQueryClient()
  const { words: _words, ...what } = wanted
  const save = useSaveForm({
    initial: {
      file: 'spreadsheet' as FileChoice,
      ...layoutOf(workspaceLocale()),
      suppressed: 'leave_out' as Suppressed,
    },
    send: ({ file, separator, decimal, suppressed }, { key }) => {
      const body: NewExport = {
        ...what,
        format: file === 'jsonl' ? 'jsonl' : 'csv',
        ...(file === 'spreadsheet' && { spreadsheet: { separator, decimal } }),
        ...(wanted.source === 'prospects' && { suppressed }),
      }
      return dataOf(createExport({ body, ...withKey(key) }))
    },
    onSaved: (made) => {
      void queryClient.invalidateQueries({ queryKey: exportsKey })
      done(made)
    },
    what: 'Create export',
    isAction: true,
    fieldOf: () => undefined,
  })
  const { form, values, isSaving } = save
  return (
    <SaveForm
      save={save}
      className={classes.options}
      actions={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={isSaving}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            Create file
          </Button>
        </Group>
      }
    >
      <Text size="sm">{wanted.words}</Text>
      <Radio.Group label="File for" {...form.getInputProps('file')}>
        <Radio
          value="spreadsheet"
          label="Excel and other spreadsheets"
          description="CSV with local times. Phone numbers stay text, and no cell can run as a formula"
          mt="xs"
          data-autofocus
        />
        <Radio value="csv" label="Programs, as CSV" description="Commas, values as typed, times in UTC" mt="xs" />
        <Radio value="jsonl" label="Programs, as JSON lines" description="All values of each record" mt="xs" />
      </Radio.Group>
      {values.file === 'spreadsheet' && (
        <Group gap="sm" grow>
          <Select label="Separator" data={separatorOptions} {...form.getInputProps('separator')} />
          <Select label="Decimal separator" data={decimalOptions} {...form.getInputProps('decimal')} />
        </Group>
      )}
      {wanted.source === 'prospects' && (
        <Radio.Group label="Prospects marked do not contact" {...form.getInputProps('suppressed')}>
          <Radio
            value="leave_out"
            label="Exclude"
            description="The file states how many prospects were left out"
            mt="xs"
          />
          <Radio
            value="mark"
            label="Mark them"
            description="Name only, without addresses, numbers or domains"
            mt="xs"
          />
        </Radio.Group>
      )}
      <Text size="sm" c="dimmed">
        The file is deleted after a day.{' '}
        {wanted.source === 'audit'
          ? 'Contact values are replaced by •••, and so are reasons about prospects marked do not contact.'
          : 'The file never contains notes, evidence or history.'}{' '}
        The audit log records who created and who downloaded the file.
      </Text>
    </SaveForm>
  )
}

function Made({ made, close }: { made: Export; close: () => void }) {
  const { data: current = made } = useQuery({ ...exportQuery(made.id), initialData: made })
  const queryClient = useQueryClient()
  const isGoing = isUnderWay(current)
  const { events } = useFollowedJob(
    isGoing ? current.jobId : null,
    () => void queryClient.invalidateQueries({ queryKey: exportsKey }),
  )
  const progress = newestProgress(events)
  const processed = progress === null ? '' : `${countWords(progress.done, ...countedOf(current))} processed. `
  const cancel = useMutation({
    meta: { notDone: 'Stop export' },
    mutationFn: () => dataOf(cancelJob({ path: { jobId: current.jobId }, body: {} })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: exportsKey }),
  })
  return (
    <div className={classes.result}>
      <div role="status">
        {isGoing ? (
          <Group gap="sm">
            <Loader size={18} aria-hidden />
            <b>{current.status === 'queued' ? 'Waiting to start' : 'Creating'}</b>
          </Group>
        ) : (
          <ExportStatus status={current.status} />
        )}
      </div>
      <p className={status.soft}>
        {isGoing ? `${processed}You can close this window. The file will appear under Exports.` : holdingWords(current)}
      </p>
      {current.status === 'failed' && <Failure jobId={current.jobId} />}
      {(current.status === 'expired' || current.status === 'removed') && <p>{removedWords(current)}</p>}
      {current.file !== null && (
        <p className={classes.hash}>
          {sizeWords(current.file.bytes)}, until <DateTime at={current.file.expiresAt} as="dateTime" />. SHA-256{' '}
          <code>{current.file.sha256}</code>
        </p>
      )}
      {cancel.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(cancel.error)}
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" component={Link} to="/exports">
          All exports
        </Button>
        {isGoing && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Stop
          </Button>
        )}
        {current.status === 'ready' && <DownloadButton made={current} />}
        {!isGoing && current.status !== 'ready' && <Button onClick={close}>Close</Button>}
      </Group>
    </div>
  )
}

function Failure({ jobId }: { jobId: string }) {
  const { data } = useQuery(failureQuery(jobId))
  return <p role="alert">{localSentence(data?.error?.message ?? 'Could not create the file.')} No file was stored.</p>
}

/** Download button. If the file is no longer available, the reason is shown beside it. */
export function DownloadButton({ made, size = 'sm' }: { made: Export; size?: 'xs' | 'sm' }) {
  const fetching = useMutation({
    meta: { notDone: `Download ${made.file?.name ?? 'the export'}` },
    mutationFn: () => download(made),
  })
  return (
    <>
      <Button
        size={size}
        variant={size === 'xs' ? 'default' : 'filled'}
        leftSection={<IconDownload size={15} stroke={1.7} />}
        loading={fetching.isPending}
        onClick={() => fetching.mutate()}
        aria-label={`Download ${made.file?.name ?? ''}`}
      >
        Download
      </Button>
      {fetching.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(fetching.error)}
        </p>
      )}
    </>
  )
}
