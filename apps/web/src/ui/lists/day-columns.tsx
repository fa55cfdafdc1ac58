import type { ReactNode } from 'react'
import { formatDay } from '../text/format.ts'
import classes from './day-columns.module.css'
import { FixedTable } from './fixed-table.tsx'

export type DayColumn = {
  key: string
  /** '2026-11-21' */
  day: string
  /** Height of the column; null if the day has no data, which is not shown as zero. */
  value: number | null
  /** The number as it is written above the column. */
  words: string
}

type Props<Column extends DayColumn> = {
  title: string
  columns: readonly Column[]
  /** Puts the content of a column into a link, for example. Default: the content itself. */
  wrap?: (column: Column, label: string, content: ReactNode) => ReactNode
}

/** A column for each day. Its height and its number show the count, and the table for screen readers is the same list. */
export function DayColumns<Column extends DayColumn>({
  title,
  columns,
  wrap = (_, __, content) => <span className={classes.content}>{content}</span>,
}: Props<Column>) {
  const most = Math.max(0, ...columns.map(({ value }) => value ?? 0)) || 1
  return (
    <FixedTable look="bare" className={classes.days}>
      <caption className="pp-visually-hidden">{title}</caption>
      <tbody>
        {columns.map((column) => {
          const label = formatDay(column.day)
          const { value, words } = column
          return (
            <tr key={column.key} title={`${label}: ${words}`}>
              <th scope="row">
                <span className="pp-visually-hidden">{label}</span>
                <span aria-hidden>{Number(column.day.slice(-2))}</span>
              </th>
              <td>
                {wrap(
                  column,
                  label,
                  <>
                    {value === null || value === 0 ? <span className="pp-visually-hidden">{words}</span> : words}
                    <span
                      aria-hidden
                      className={classes.column}
                      style={{ height: `${((value ?? 0) / most) * 100}%` }}
                    />
                  </>,
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </FixedTable>
  )
}
