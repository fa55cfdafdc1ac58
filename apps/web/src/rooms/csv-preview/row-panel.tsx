import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { useEffect, useRef } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import type { Action } from '../../ui/actions/actions.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './csv-preview.module.css'
import { cellsOf } from './row-prefill.ts'
import { CellRemarks, RowRemarks } from './row-remarks.tsx'

type Props = { preview: CsvPreview; row: CsvRow; actions: readonly Action[] }

/** The whole row, including columns that are not read. Its heading gets the focus, so that single keys and Ctrl+Enter work at once. */
export function RowPanel({ preview, row, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section aria-labelledby="csv-row" className={classes.row}>
      <h2 id="csv-row" ref={heading} tabIndex={-1}>
        Row {formatNumber(row.row)} of {formatNumber(preview.kept.rows)}
      </h2>
      <RowRemarks row={row} target="_blank" />
      <dl className={classes.cells}>
        {cellsOf(preview, row).map(({ column, name, value, isCut }) => (
          <div key={column} data-unread={preview.columns[column - 1]?.field == null}>
            <dt className={classes.cellName}>
              <Name of={name} />
            </dt>
            <dd className={classes.cell}>
              <span className={classes.value}>
                {value}
                {isCut && '…'}
              </span>
              <CellRemarks row={row} column={column} />
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.rowActions}>
        {actions.map((action) => (
          <ActionButton key={action.id} action={action} variant="default" size="xs" />
        ))}
      </div>
    </section>
  )
}
