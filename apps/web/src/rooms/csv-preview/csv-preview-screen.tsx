import { Button, FileInput, SegmentedControl } from '@mantine/core'
import type { CsvField, CsvPreview } from '@prospect/api-client'
import { IconFileText } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { isSame } from '../../ui/forms/changed-fields.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { LoadMore } from '../../ui/lists/load-more.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { csvRowsQuery, limitsQuery } from './csv.queries.ts'
import classes from './csv-preview.module.css'
import { type CsvSettings, mapColumn } from './csv-settings.ts'
import {
  type CurrentPreview,
  chooseFile,
  forgetFile,
  leaveRow,
  readFile,
  showRows,
  useCurrentPreview,
} from './current-preview.ts'
import { DialectPanel } from './dialect-panel.tsx'
import { NotReadable, Reading } from './reading.tsx'
import { headingsOf, useRememberedSettings } from './remembered-settings.ts'
import { RowTable } from './row-table.tsx'
import { Summary } from './summary.tsx'

export function CsvPreviewScreen() {
  const session = useSession()
  const owner = `${session.user.id} ${session.tenant.id}`
  const kept = useCurrentPreview(owner)
  const limits = useQuery(limitsQuery)
  const isTooLarge = (chosen: File) => limits.data !== undefined && chosen.size > limits.data.bytes

  const { find, remember } = useRememberedSettings()
  const { country } = session.tenant

  const choose = async (chosen: File | null) => {
    if (chosen === null) return forgetFile()
    if (isTooLarge(chosen)) return chooseFile(owner, chosen)
    const first: CsvSettings = country === null ? {} : { phoneRegion: country }
    const preview = await readFile(owner, chosen, first)
    if (preview?.status !== 'ready') return
    const settings = find(headingsOf(preview))
    if (settings !== undefined && !isSame(settings, first)) await readFile(owner, chosen, settings)
  }
  const read = (file: File, settings: CsvSettings) => {
    remember(kept?.headings ?? null, settings)
    void readFile(owner, file, settings)
  }
  const file = kept?.file ?? null

  return (
    <Page
      title="CSV preview"
      lead="Check a file before you use it. Nothing is imported or stored. You add single rows yourself."
    >
      <FileInput
        label="CSV file"
        placeholder="Choose file"
        aria-label={`CSV file: ${file === null ? 'Choose file' : nameText(file.name)}`}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        leftSection={<IconFileText size={16} stroke={1.6} aria-hidden />}
        clearable
        clearButtonProps={{ 'aria-label': 'Close this file' }}
        className={classes.file}
        value={file}
        onChange={(chosen) => void choose(chosen)}
        error={
          file !== null &&
          isTooLarge(file) &&
          `Larger than ${megabytes(limits.data?.bytes)} MB, the limit of a preview.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={limits.data && limitWords(limits.data)}
      />
      <div role="status" className={classes.reading}>
        {kept !== null && statusWords(kept)}
      </div>
      {kept !== null && <Outcome kept={kept} read={(settings) => read(kept.file, settings)} />}
    </Page>
  )
}

/** Announcement of the file's state for screen readers; errors announce themselves. */
function statusWords({ isSending, error, shown }: CurrentPreview): string | null {
  if (isSending) return 'Uploading and reading the file…'
  if (error !== null || shown?.preview.status !== 'ready') return null
  const { totals, kept: held } = shown.preview
  return `${countWords(totals.rows, 'row', 'rows')} read, ${formatNumber(held.flaggedRows)} to review`
}

/** Result of reading the file: progress, error or preview. */
function Outcome({ kept, read }: { kept: CurrentPreview; read: (settings: CsvSettings) => void }) {
  const { file, wanted, shown, isSending, error } = kept
  const readAgain = () => read(wanted)
  const preview = shown?.preview
  return (
    <>
      {error !== null && (
        <NotReadable readAgain={isProblem(error, 'too_large') ? undefined : readAgain}>{sentenceOf(error)}</NotReadable>
      )}
      {preview?.status === 'reading' && <Reading key={preview.id} preview={preview} readAgain={readAgain} />}
      {preview?.status === 'failed' && (
        <NotReadable readAgain={readAgain}>{localSentence(preview.failure.message)}</NotReadable>
      )}
      {preview?.status === 'ready' && shown !== null && (
        <Read kept={kept} shown={{ file, preview, settings: shown.settings }} isBusy={isSending} change={read} />
      )}
    </>
  )
}

type Shown = { file: File; settings: CsvSettings; preview: CsvPreview }

type ReadProps = {
  kept: Pick<CurrentPreview, 'rows' | 'leftRow'>
  shown: Shown
  isBusy: boolean
  change: (settings: CsvSettings) => void
}

function Read({ kept, shown, isBusy, change }: ReadProps) {
  const { preview, settings } = shown
  const mapped = useRef<number | null>(null)
  const map = (column: number, field: CsvField | null) => {
    mapped.current = column
    change({
      ...settings,
      mapping: mapColumn(
        preview.columns.map((one) => one.field),
        column,
        field,
      ),
    })
  }
  return (
    <>
      <DialectPanel preview={preview} settings={settings} change={change} isBusy={isBusy} />
      <Summary
        preview={preview}
        isBusy={isBusy}
        readQuotesAsText={() => {
          // Other quotes give other columns, so the mapping of the old ones is dropped.
          const { mapping: _, ...others } = settings
          change({ ...others, quote: 'none' })
        }}
      />
      <Rows
        key={preview.id}
        kept={kept}
        shown={shown}
        isBusy={isBusy}
        readAgain={() => change(settings)}
        map={map}
        mapped={mapped}
      />
    </>
  )
}

const limitWords = ({ bytes, minutesHeld }: { bytes: number; minutesHeld: number }) =>
  `Up to ${megabytes(bytes)} MB. Only you can see the preview. The preview is deleted ${minutesHeld} minutes after its last use.`

const megabytes = (bytes = 0) => formatNumber(Math.floor(bytes / 1_000_000))

type RowsProps = {
  kept: Pick<CurrentPreview, 'rows' | 'leftRow'>
  shown: Shown
  isBusy: boolean
  readAgain: () => void
  map: (column: number, field: CsvField | null) => void
  mapped: RefObject<number | null>
}

function Rows({ kept: { rows: show, leftRow }, shown, isBusy, readAgain, map, mapped }: RowsProps) {
  const { preview, file, settings } = shown
  const rows = useInfiniteQuery(csvRowsQuery(preview.id, show))
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = rows
  const [returnTo, setReturnTo] = useState(leftRow)
  const returned = useCallback(() => {
    setReturnTo(null)
    leaveRow(null)
  }, [])
  const canCreate = useCan('businesses.write')
  const isMissing = returnTo !== null && data !== undefined && !data.items.some(({ row }) => row === returnTo)
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const { kept: held, totals } = preview
  const ofAll = (count: number, all: number) =>
    all > count ? `${formatNumber(count)} of ${formatNumber(all)}` : formatNumber(count)

  return (
    <section aria-label="Rows">
      {canCreate && held.rows > 0 && (
        <Button component={Link} to="/sources/csv-preview/rows" className={classes.work}>
          Work through the rows
        </Button>
      )}
      <SegmentedControl
        aria-label="Shown rows"
        className={classes.show}
        value={show}
        onChange={(value) => showRows(value === 'flagged' ? 'flagged' : 'all')}
        data={[
          { value: 'all', label: `All rows (${ofAll(held.rows, totals.rows)})` },
          { value: 'flagged', label: `To review (${formatNumber(held.flaggedRows)})` },
        ]}
      />
      {rows.isPending && <LoadingLines lines={6} />}
      {rows.isError && isProblem(rows.error, 'not_found') && (
        <Empty title="This preview has expired" action={<Button onClick={readAgain}>Read file again</Button>}>
          A preview is deleted some minutes after its last use. The file is still in your browser, so you can read it
          again.
        </Empty>
      )}
      {rows.isError && !isProblem(rows.error, 'not_found') && (
        <Failed error={rows.error} retry={() => void rows.refetch()} what="the rows" />
      )}
      {rows.data?.items.length === 0 && <Empty title={show === 'all' ? 'No rows' : 'No rows to review'} />}
      {rows.data && rows.data.items.length > 0 && (
        <>
          <RowTable
            preview={preview}
            rows={rows.data.items}
            fileName={file.name}
            region={settings.phoneRegion ?? null}
            isBusy={isBusy}
            map={map}
            mapped={mapped}
            returnTo={returnTo}
            returned={returned}
          />
          <LoadMore what="rows" {...rows} data={rows.data} />
        </>
      )}
    </section>
  )
}
