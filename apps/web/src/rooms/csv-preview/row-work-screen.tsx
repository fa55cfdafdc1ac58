import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { useRecordedRows } from '../../ui/prospects/recorded-rows.ts'
import type { RowPrefill } from '../../ui/prospects/row-prefill.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { dayIn } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { onOneLine } from '../../ui/text/on-one-line.ts'
import { readCsvRows } from './csv.queries.ts'
import classes from './csv-preview.module.css'
import { type CurrentPreview, readFile, useCurrentPreview } from './current-preview.ts'
import { FileOriginForm, FileOriginLine, NoFileOrigin, sourceFileQuery, useNamedFile } from './file-origin.tsx'
import { findNextRow } from './next-row.ts'
import { optOutLines } from './opt-out-lines.ts'
import { RecordRowDialog } from './record-row-dialog.tsx'
import { countMarks, type RowMark, rowsMarked, useFileWork, withMark } from './row-marks.ts'
import { RowPanel } from './row-panel.tsx'
import { type ForAll, prefillOf, sourceReference, withAll } from './row-prefill.ts'
import { workWords } from './work-words.ts'

/** Props of the form for one row. `side` is shown beside the form. */
export type RowFormProps = { prefill: RowPrefill; side: ReactNode; created: () => void; leave: () => void }
type Props = { renderForm: (props: RowFormProps) => ReactNode }

/** Works through the rows of the current file one by one: the whole row beside the form of a new prospect. */
export function RowWorkScreen({ renderForm }: Props) {
  const session = useSession()
  const owner = `${session.user.id} ${session.tenant.id}`
  const kept = useCurrentPreview(owner)
  const preview = kept?.shown?.preview
  if (kept === null || preview?.status !== 'ready')
    return (
      <Page title="Rows of a file" back={back}>
        {kept?.isSending === true ? (
          <LoadingLines />
        ) : (
          <Empty
            title="No file is open"
            action={
              <Button component={Link} to="/sources/csv-preview" variant="default">
                Choose file
              </Button>
            }
          >
            After a reload, choose the same file again. Your work continues at the same row.
          </Empty>
        )}
      </Page>
    )
  return <Work key={preview.file.sha256} kept={kept} preview={preview} owner={owner} renderForm={renderForm} />
}

/** Heading of the actions in the palette and in the list of shortcuts. */
const rowActions = 'Rows of the file'
const back = <BackLink to="/sources/csv-preview">CSV preview</BackLink>

type WorkProps = Props & { kept: CurrentPreview; preview: CsvPreview; owner: string }

function Work({ kept, preview, owner, renderForm }: WorkProps) {
  const { user, tenant } = useSession()
  const { file, wanted } = kept
  const [work, change] = useFileWork(preview.file.sha256)
  const [row, setRow] = useState<CsvRow | null>(null)
  const [state, setState] = useState<'reading' | 'open' | 'ended' | 'failed'>('reading')
  const { rows: recorded } = useRecordedRows()
  const source = useQuery(sourceFileQuery(preview.file.sha256))
  const canRecord = useCan('sources.record')
  const isAsking = source.data === null && canRecord && work.isOriginLater !== true
  const navigate = useNavigate()
  const recording = useDialog<CsvRow>()
  const canSuppress = useCan('suppression.add')
  const rows = preview.kept.rows
  const region = kept.shown?.settings.phoneRegion ?? null

  // A loop of reads keeps the `read` of one render, so the id of the newest preview is in a ref. Otherwise each read would upload the file again.
  const previewId = useRef(preview.id)
  /** Reads rows. If the preview has expired, the browser uploads the same file again first. */
  const read = async (after: number, limit: number): Promise<CsvRow[]> => {
    try {
      return await readCsvRows(previewId.current, after, limit)
    } catch (error) {
      if (!isProblem(error, 'not_found')) throw error
      const again = await readFile(owner, file, wanted)
      if (again?.status !== 'ready') throw error
      previewId.current = again.id
      return readCsvRows(again.id, after, limit)
    }
  }
  const references = new Set(recorded.map(({ reference }) => reference))
  const isRecorded = (one: CsvRow) => references.has(sourceReference(file.name, one, preview.file.sha256))

  const attempt = async (task: () => Promise<CsvRow | null>) => {
    setState('reading')
    try {
      const found = await task()
      setRow(found)
      setState(found === null ? 'ended' : 'open')
    } catch (error) {
      notRead(error)
      setState('failed')
    }
  }
  /** Opens the next row to work on, after marking the current one. */
  const goOn = (mark: RowMark | null = null) =>
    attempt(async () => {
      const at = row?.row ?? work.row
      const marked = mark === null ? work : change((now) => ({ ...now, marks: withMark(now.marks, at, mark) }))
      // The first row of a new visit is the one that was open last.
      const after = row === null ? Math.max(0, at - 1) : at
      const found = await findNextRow(marked, { after, rows, read, isRecorded })
      change((now) => ({ ...now, marks: found.work.marks, row: found.work.row }))
      return found.row
    })
  /** Opens a row whatever its mark. */
  const open = (wantedRow: number) =>
    attempt(async () => {
      const [found = null] = await read(wantedRow - 1, 1)
      if (found !== null) change((now) => ({ ...now, row: found.row }))
      return found ?? row
    })
  const start = useRef(goOn)
  useEffect(() => void start.current(), [])

  const named = useNamedFile(file.name, preview.file.sha256)
  const setOriginLater = (isOriginLater: boolean) => change((now) => ({ ...now, isOriginLater }))

  const leave = () => void navigate({ to: '/sources/csv-preview' })
  const optOuts = countMarks(work.marks).optOut
  const offerOptOuts = useMutation({
    meta: { isTold: true },
    mutationFn: () => optOutLines(preview, rowsMarked(work.marks, 'optOut'), read),
    onSuccess: (lines) => {
      const pastedLines = { text: lines.join('\n'), region }
      if (lines.length > 0) return navigate({ to: '/suppression/paste', state: { pastedLines } })
      notifications.show({ message: 'The emails and phones of the opt-outs are on the do-not-contact list.' })
    },
    onError: (error) => notRead(error),
  })
  const openRow = state === 'open' && source.data !== undefined && !isAsking ? row : null
  const actionsOf = (one: CsvRow): (Action & { run: () => void })[] => [
    {
      id: 'row.skip',
      group: rowActions,
      label: 'Skip this row',
      shortLabel: 'Skip',
      keys: 'x',
      run: () => void goOn('skipped'),
    },
    {
      id: 'row.record',
      group: rowActions,
      label: 'Add this row to a known prospect',
      shortLabel: 'Add to known prospect',
      keys: 'r',
      permission: 'sources.record',
      run: () => recording.open(one),
    },
    {
      id: 'row.previous',
      group: rowActions,
      label: 'Previous row',
      shortLabel: 'Previous',
      keys: 'k',
      run: () => void open(one.row - 1),
      unavailable: one.row <= 1 && 'This is the first row.',
    },
    {
      id: 'row.next',
      group: rowActions,
      label: 'Next row',
      shortLabel: 'Next',
      keys: 'j',
      run: () => void open(one.row + 1),
      unavailable: one.row >= rows && 'This is the last row.',
    },
  ]
  const actions = openRow === null ? [] : actionsOf(openRow)
  useActions('screen', actions)

  const forAll = {
    tags: work.tags,
    assigneeId: work.assigneeId === undefined ? user.id : work.assigneeId,
    followUpOn: work.followUpOn ?? '',
  }
  const today = dayIn(serverNow().toISOString(), tenant.timeZone)
  const head = (
    <Page
      title={`Rows of ${nameText(file.name)}`}
      back={back}
      lead={<span role="status">{workWords(work.marks, rows)}</span>}
      actions={
        <>
          {optOuts > 0 && canSuppress && (
            <Button variant="default" size="xs" loading={offerOptOuts.isPending} onClick={() => offerOptOuts.mutate()}>
              Add {countWords(optOuts, 'opt-out', 'opt-outs')} to the do-not-contact list
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => <Link {...props} to="/prospects" search={{ sourceLabel: named.label }} />}
          >
            Prospects of this file
          </Button>
        </>
      }
    >
      {source.isError && (
        <Failed error={source.error} retry={() => void source.refetch()} what="the source of the file" />
      )}
      {source.data != null && <FileOriginLine file={source.data} />}
      {isAsking ? (
        <FileOriginForm
          file={{ sha256: preview.file.sha256, name: onOneLine(file.name), label: named.label }}
          later={() => setOriginLater(true)}
        />
      ) : (
        <>
          {source.data === null && canRecord && <NoFileOrigin answer={() => setOriginLater(false)} />}
          <ForAllRows {...forAll} change={(more) => change((now) => ({ ...now, ...more }))} />
        </>
      )}
      {state === 'ended' && (
        <Empty title="No row is left" action={<Button onClick={leave}>Back to the file</Button>}>
          Every row is done, already known, marked do not contact, or skipped.
        </Empty>
      )}
      {state === 'failed' && (
        <Empty title="The rows could not be read" action={<Button onClick={() => void goOn()}>Try again</Button>} />
      )}
      {state === 'reading' && <LoadingLines lines={8} />}
    </Page>
  )
  return (
    <>
      {head}
      {openRow !== null &&
        renderForm({
          prefill: withAll(prefillOf(preview, openRow, named, region ?? tenant.country), forAll, today),
          side: <RowPanel key={openRow.row} preview={preview} row={openRow} actions={actions} />,
          created: () => void goOn('done'),
          leave,
        })}
      {recording.slot((one, { close }) => (
        <RecordRowDialog preview={preview} row={one} file={named} close={close} recorded={() => void goOn('known')} />
      ))}
    </>
  )
}

function notRead(error: unknown): void {
  notifications.show({ color: 'red', message: `Could not read the rows. ${sentenceOf(error)}` })
}

type ForAllProps = ForAll & { change: (more: Partial<ForAll>) => void }

/** Tags, assignee and follow-up of the prospects that are created from this file. */
function ForAllRows({ tags, assigneeId, followUpOn, change }: ForAllProps) {
  const { user } = useSession()
  const people = usePeopleOptions(user)
  return (
    <div className={classes.forAll}>
      <NameTagsInput label="Tags for all rows" value={tags} onChange={(value) => change({ tags: value })} />
      <Select
        label="Assignee for all rows"
        placeholder="Nobody"
        data={people}
        searchable
        clearable
        value={assigneeId}
        onChange={(value) => change({ assigneeId: value })}
      />
      <TypedTime
        of="day"
        direction="future"
        isComing
        label="Follow-up for all rows"
        value={followUpOn}
        onChange={(value) => change({ followUpOn: value })}
      />
    </div>
  )
}
