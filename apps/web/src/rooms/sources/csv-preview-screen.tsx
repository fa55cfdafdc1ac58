import { Alert, Button, FileInput, SegmentedControl, Title } from '@mantine/core'
import type { CsvField, CsvPreview } from '@prospect/api-client'
import { IconFileText } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api-problem.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { useCan, useSession } from '../../ui/session.ts'
import { Empty, Failed, LoadingLines, NoPermission } from '../../ui/states.tsx'
import { csvRowsQuery, limitsQuery, previewCsv } from './csv.queries.ts'
import { type CsvSettings, mapColumn } from './csv-settings.ts'
import { DialectPanel } from './dialect-panel.tsx'
import { RowTable } from './row-table.tsx'
import classes from './sources.module.css'
import { Summary } from './summary.tsx'

type Shown = { file: File; settings: CsvSettings; preview: CsvPreview }

/** The file stays in the page's memory while the person goes to a record and comes back, and for no other person or tenant. */
let kept: { owner: string; shown: Shown } | null = null

export function CsvPreviewScreen() {
  if (!useCan('sources.preview')) return <NoPermission what="CSV previews" />
  return <CsvPreviews />
}

function CsvPreviews() {
  const session = useSession()
  const owner = `${session.user.id} ${session.tenant.id}`
  const [shown, setShown] = useState<Shown | null>(kept?.owner === owner ? kept.shown : null)
  const [file, setFile] = useState<File | null>(shown?.file ?? null)
  const limits = useQuery(limitsQuery)
  const reading = useRef<AbortController | null>(null)

  const read = useMutation({
    mutationFn: async (wanted: { file: File; settings: CsvSettings }): Promise<Shown> => {
      reading.current?.abort()
      reading.current = new AbortController()
      return { ...wanted, preview: await previewCsv(wanted.file, wanted.settings, reading.current.signal) }
    },
    onSuccess: (next) => {
      kept = { owner, shown: next }
      setShown(next)
    },
  })

  const choose = (chosen: File | null) => {
    setFile(chosen)
    setShown(null)
    kept = null
    read.reset()
    if (chosen !== null && !isTooLarge(chosen)) read.mutate({ file: chosen, settings: {} })
  }
  const change = (settings: CsvSettings) => {
    if (shown !== null) read.mutate({ file: shown.file, settings })
  }
  const isTooLarge = (chosen: File) => limits.data !== undefined && chosen.size > limits.data.bytes

  return (
    <div className={classes.page}>
      <title>CSV preview · Prospect Platform</title>
      <header className={classes.head}>
        <Title order={1}>CSV preview</Title>
        <p>
          See what a file says before anybody works from it. This is not an import, and there is none: nothing of the
          file is stored. You take over what you want, row by row. Registered sources do not exist yet.
        </p>
      </header>
      <FileInput
        label="CSV file"
        placeholder="Choose a file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        leftSection={<IconFileText size={16} stroke={1.6} aria-hidden />}
        clearable
        clearButtonProps={{ 'aria-label': 'Forget this file' }}
        className={classes.file}
        value={file}
        onChange={choose}
        error={
          file !== null &&
          isTooLarge(file) &&
          `It is larger than the ${megabytes(limits.data?.bytes)} MB that a preview takes.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={
          limits.data &&
          `Up to ${megabytes(limits.data.bytes)} MB. Held for ${limits.data.minutesHeld} minutes, for you alone.`
        }
      />
      <div role="status" className={classes.reading}>
        {read.isPending && 'Reading the file…'}
      </div>
      {read.isError && file !== null && (
        <Alert color="red" variant="outline" title="The file was not read" className={classes.alert}>
          {sentenceOf(read.error)}
          {!isProblem(read.error, 'too_large') && (
            <Button
              variant="default"
              mt="xs"
              onClick={() => read.mutate({ file, settings: read.variables?.settings ?? {} })}
            >
              Read it again
            </Button>
          )}
        </Alert>
      )}
      {shown !== null && (
        <>
          <DialectPanel preview={shown.preview} settings={shown.settings} change={change} isBusy={read.isPending} />
          <Summary preview={shown.preview} />
          <Rows
            key={shown.preview.id}
            shown={shown}
            isBusy={read.isPending}
            readAgain={() => change(shown.settings)}
            map={(column, field) =>
              change({
                ...shown.settings,
                mapping: mapColumn(
                  shown.preview.columns.map((one) => one.field),
                  column,
                  field,
                ),
              })
            }
          />
        </>
      )}
    </div>
  )
}

const megabytes = (bytes = 0) => Math.floor(bytes / 1_000_000).toLocaleString('en-ZA')

type RowsProps = {
  shown: Shown
  isBusy: boolean
  readAgain: () => void
  map: (column: number, field: CsvField | null) => void
}

function Rows({ shown, isBusy, readAgain, map }: RowsProps) {
  const { preview, file, settings } = shown
  const [show, setShow] = useState<'first' | 'flagged'>('first')
  const rows = useInfiniteQuery(csvRowsQuery(preview.id, show))
  const { kept: held, totals } = preview
  const ofAll = (count: number, all: number | null) =>
    all !== null && all > count ? `${number(count)} of ${number(all)}` : number(count)

  return (
    <section aria-label="Rows">
      <SegmentedControl
        aria-label="Rows to show"
        className={classes.show}
        value={show}
        onChange={(value) => setShow(value === 'flagged' ? 'flagged' : 'first')}
        data={[
          { value: 'first', label: `First rows (${ofAll(held.firstRows, totals.rows)})` },
          { value: 'flagged', label: `To look at (${number(held.flaggedRows)})` },
        ]}
      />
      {rows.isPending && <LoadingLines lines={6} />}
      {rows.isError && isProblem(rows.error, 'not_found') && (
        <Empty title="This preview is no longer held" action={<Button onClick={readAgain}>Read the file again</Button>}>
          Previews are forgotten after some minutes. The file is still here in your browser.
        </Empty>
      )}
      {rows.isError && !isProblem(rows.error, 'not_found') && (
        <Failed error={rows.error} retry={() => void rows.refetch()} what="the rows" />
      )}
      {rows.data?.items.length === 0 && (
        <Empty title={show === 'first' ? 'No rows were read' : 'No row has a problem, a duplicate or a match'} />
      )}
      {rows.data && rows.data.items.length > 0 && (
        <>
          <RowTable
            preview={preview}
            rows={rows.data.items}
            fileName={file.name}
            region={settings.phoneRegion ?? null}
            isBusy={isBusy}
            map={map}
          />
          <LoadMore what="rows" {...rows} data={rows.data} />
        </>
      )}
    </section>
  )
}

const number = (value: number) => value.toLocaleString('en-ZA')
