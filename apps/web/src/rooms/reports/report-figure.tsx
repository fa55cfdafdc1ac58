import { Title } from '@mantine/core'
import type { ReportFigure, ReportSummary } from '@prospect/api-client'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { type Bar, barsOf, cellWords, columnName, keyName, semanticsWords } from './report-words.ts'
import classes from './reports.module.css'

type Props = { figure: ReportFigure; asked: Pick<ReportSummary, 'from' | 'to' | 'timeZone' | 'asOf'> }

/** A figure: a description of what it counts, its bars, and the table with their numbers. */
export function Figure({ figure, asked }: Props) {
  const bars = barsOf(figure)
  const id = `figure-${figure.key}`
  return (
    <section className={classes.figure} aria-labelledby={id}>
      <Title order={2} id={id}>
        {figure.title}
      </Title>
      <p className={classes.semantics}>{semanticsWords(figure.semantics, asked)}.</p>
      <p className={classes.counts}>{figure.counts}</p>
      {bars.length === 0 ? (
        <p className={classes.nothing}>Nothing in this period.</p>
      ) : (
        <div className={classes.both}>
          <Bars bars={bars} title={figure.title} hasApart={figure.columns.includes('While do not contact')} />
          <Numbers figure={figure} />
        </div>
      )}
    </section>
  )
}

function Bars({ bars, title, hasApart }: { bars: Bar[]; title: string; hasApart: boolean }) {
  const description = bars.map(({ label, words }) => `${label} ${words}`).join(', ')
  return (
    <div>
      <div role="img" aria-label={`${title}, as bars: ${description}. The table shows the same numbers.`}>
        {bars.map(({ label, length, apart, words }) => (
          <div key={label} className={classes.bar}>
            <span className={classes.barLabel}>{label}</span>
            <span className={classes.track}>
              <span className={classes.length} style={{ width: `${length * 100}%` }} />
              <span className={classes.apart} style={{ width: `${apart * 100}%` }} />
            </span>
            <span className={`${classes.barNumber} pp-figures`}>{words}</span>
          </div>
        ))}
      </div>
      {hasApart && (
        <p className={classes.legend}>
          <span className={classes.apart} aria-hidden /> While marked do not contact
        </p>
      )}
    </div>
  )
}

function Numbers({ figure: { key, title, columns, rows, total } }: { figure: ReportFigure }) {
  const firstNumber = columns.findIndex((_, index) => rows.some((row) => typeof row[index] === 'number'))
  return (
    <FixedTable className={`${classes.numbers} pp-figures`}>
      <caption className="pp-visually-hidden">{title}</caption>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} scope="col" data-number={index >= firstNumber || undefined}>
              {columnName(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.slice(0, firstNumber).join(' ')}>
            {columns.map((column, index) => {
              const cell = row[index] ?? null
              if (index === 0) {
                return (
                  <th key={column} scope="row">
                    {keyName(key, String(cell))}
                  </th>
                )
              }
              return (
                <td key={column} data-number={index >= firstNumber || undefined}>
                  {typeof cell === 'string' ? keyName(key, cell) : cellWords(column, cell)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
      {total !== null && (
        <tfoot>
          <tr>
            <th scope="row" colSpan={firstNumber}>
              Total
            </th>
            <td data-number>{cellWords(columns[firstNumber] ?? '', total)}</td>
            {columns.slice(firstNumber + 1).map((column) => (
              <td key={column} />
            ))}
          </tr>
        </tfoot>
      )}
    </FixedTable>
  )
}
