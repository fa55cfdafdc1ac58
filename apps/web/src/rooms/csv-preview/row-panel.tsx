import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import type { Action } from '../../ui/actions/actions.ts'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './csv-preview.module.css'
import { noteInRow, problemText, rowRemarks } from './csv-settings.ts'
import { cellsOf } from './row-prefill.ts'

type Props = { preview: CsvPreview; row: CsvRow; actions: readonly Action[] }

/** The whole row, also its columns that are not read. It gets the focus, so that single keys and Ctrl+Enter work at once. */
export function RowPanel({ preview, row, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const matches = [...new Map(row.matches.map((match) => [match.businessId, match])).values()]
  return (
    <section aria-labelledby="csv-row" className={classes.row}>
      <h2 id="csv-row" ref={heading} tabIndex={-1}>
        Row {formatNumber(row.row)} of {formatNumber(preview.kept.rows)}
      </h2>
      {row.doNotContact === true && <DoNotContactMark />}
      {row.doNotContact === null && (
        <p className={classes.problem}>
          Do not contact: {row.said === 'unclear' ? 'unclear in the file' : 'not checked'}
        </p>
      )}
      {rowRemarks(row).map((remark) => (
        <p key={remark} className={classes.remark}>
          {remark}
        </p>
      ))}
      {matches.map((match) => (
        <p key={match.businessId} className={classes.remark}>
          Known:{' '}
          <Link to="/prospects/$businessId" params={{ businessId: match.businessId }} target="_blank">
            <Name of={match.name} />
          </Link>
        </p>
      ))}
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
              {row.problems
                .filter((one) => one.column === column)
                .map(({ code }) => (
                  <span key={code} className={classes.problem}>
                    {problemText(code)}
                  </span>
                ))}
              {row.notes
                .filter((one) => one.column === column)
                .map((note) => (
                  <span key={note.code} className={classes.note}>
                    {noteInRow(note)}
                  </span>
                ))}
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
