import { Button } from '@mantine/core'
import type { CsvField, CsvPreview, CsvRow } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { isFocusLost } from '../../ui/focus/lost-focus.ts'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { originQuery } from '../../ui/prospects/record-queries.ts'
import { useRecordedRows } from '../../ui/prospects/recorded-rows.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import classes from './csv-preview.module.css'
import { csvFields, fieldOptions } from './csv-settings.ts'
import { leaveRow } from './current-preview.ts'
import { useNamedFile } from './file-origin.tsx'
import { RecordRowDialog } from './record-row-dialog.tsx'
import { type NamedFile, prefillOf, sourceReference } from './row-prefill.ts'
import { CellRemarks, RowRemarks } from './row-remarks.tsx'

/** Maximum number of columns that are shown. Hidden columns still count in the summary. */
const SHOWN_COLUMNS = 40

type Props = {
  preview: CsvPreview
  rows: CsvRow[]
  fileName: string
  region: string | null
  isBusy: boolean
  map: (column: number, field: CsvField | null) => void
  /** Number of the last mapped column, until the table of the new reading is rendered. */
  mapped: RefObject<number | null>
  /** Row whose form was opened, which gets the focus on return. */
  returnTo: number | null
  returned: () => void
}

export function RowTable({ preview, rows, fileName, region, isBusy, map, mapped, returnTo, returned }: Props) {
  const recording = useDialog<CsvRow>()
  const file = useNamedFile(fileName, preview.file.sha256)
  const table = useRef<HTMLTableElement>(null)
  // Each mapping reads the file again and replaces the table, so the focus is lost. Restore it to the mapped column.
  useEffect(() => {
    if (mapped.current === null) return
    if (isFocusLost()) table.current?.querySelector<HTMLElement>(`[data-column="${mapped.current}"]`)?.focus()
    mapped.current = null
  }, [mapped])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row may load with the next page
  useEffect(() => {
    const row = returnTo === null ? null : table.current?.querySelector<HTMLElement>(`[data-row="${returnTo}"]`)
    if (!row) return
    if (isFocusLost()) row.querySelector<HTMLElement>('[data-new]')?.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'center' })
    returned()
  }, [returnTo, rows, returned])
  const columns = preview.columns.slice(0, SHOWN_COLUMNS)
  const hidden = preview.columns.length - columns.length
  return (
    <>
      {hidden > 0 && <p className="pp-quiet">{countWords(hidden, 'more column is', 'more columns are')} hidden.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Rows of the file" tabIndex={0}>
        <FixedTable look="bare" ref={table} className={classes.table} aria-label="Rows of the file">
          <thead>
            <tr>
              <th scope="col">Row</th>
              {columns.map(({ column, name, field, because }) => (
                // Without a label, the select below would be part of the column's name.
                <th scope="col" key={column} aria-label={name || `Column ${column}`}>
                  <span className={classes.columnName}>{name || `Column ${column}`}</span>
                  <Select
                    aria-label={`Type of column ${column}`}
                    size="xs"
                    placeholder="Not read"
                    clearable
                    searchable
                    readOnly={isBusy}
                    data-column={column}
                    data={fieldOptions}
                    value={field}
                    clearButtonProps={{ 'aria-label': `Do not read column ${column}` }}
                    onChange={(value) => map(column, csvFields.find((one) => one === value) ?? null)}
                  />
                  {because === 'content' && field !== null && <span className={classes.because}>from its content</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.row}
                row={row}
                preview={preview}
                columns={columns.length}
                file={file}
                region={region}
                record={() => recording.open(row)}
              />
            ))}
          </tbody>
        </FixedTable>
      </section>
      {recording.slot((row, { close }) => (
        <RecordRowDialog preview={preview} row={row} file={file} close={close} />
      ))}
    </>
  )
}

type RowProps = {
  row: CsvRow
  preview: CsvPreview
  columns: number
  file: NamedFile
  region: string | null
  record: () => void
}

function Row({ row, preview, columns, file, region, record }: RowProps) {
  const navigate = useNavigate()
  const [canCreate, canRecord] = [useCan('businesses.write'), useCan('sources.record')]
  return (
    <tr data-flagged={row.problems.length > 0} data-row={row.row}>
      <th scope="row" aria-label={`Row ${formatNumber(row.row)}`} className={classes.rowHead}>
        <span className="pp-figures">{formatNumber(row.row)}</span>
        <RowRemarks row={row} />
        <RowRecords reference={sourceReference(file.name, row, preview.file.sha256)} />
        <span className={classes.actions}>
          {canCreate && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`New prospect from row ${row.row}`}
              data-new
              onClick={() => {
                leaveRow(row.row)
                void navigate({
                  to: '/prospects/new',
                  state: { prefill: prefillOf(preview, row, file, region) },
                })
              }}
            >
              New prospect
            </Button>
          )}
          {canRecord && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Record row ${row.row} on a prospect`}
              onClick={record}
            >
              Record
            </Button>
          )}
        </span>
      </th>
      {Array.from({ length: columns }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
        <Cell key={place} row={row} column={place + 1} />
      ))}
    </tr>
  )
}

/** Links to the records that were created from the row or have it as an observation. */
function RowRecords({ reference }: { reference: string }) {
  const { rows } = useRecordedRows()
  return rows
    .filter((row) => row.reference === reference)
    .map(({ businessId, isNew }) => (
      <span key={businessId} className={classes.remark}>
        {isNew ? 'Created' : 'Recorded on'}:{' '}
        <Link to="/prospects/$businessId" params={{ businessId }}>
          <RecordName businessId={businessId} />
        </Link>
      </span>
    ))
}

function RecordName({ businessId }: { businessId: string }) {
  const { data } = useQuery(originQuery(businessId))
  return data === undefined ? 'a prospect' : <ProspectName name={data.name} doNotContact={data.doNotContact !== null} />
}

function Cell({ row, column }: { row: CsvRow; column: number }) {
  return (
    <td data-problem={row.problems.some((one) => one.column === column)}>
      <span className={classes.value}>
        {row.cells[column - 1] ?? ''}
        {row.cut.includes(column) && '…'}
      </span>
      <CellRemarks row={row} column={column} />
    </td>
  )
}
