import type { ScoringDistribution } from '@prospect/api-client'
import { FixedTable, useZeroRows } from '../../../ui/lists/fixed-table.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import { type CountRow, eligibilityRows, priorityRows } from './distribution-words.ts'

type Props = { before?: ScoringDistribution | null; after: ScoringDistribution }

/** Number of prospects by priority and eligibility, before and after if there are two versions. */
export function Distribution({ before = null, after }: Props) {
  return (
    <div className={classes.pair}>
      <Counts title="Priority" rows={priorityRows(before, after)} />
      <Counts title="Eligibility" rows={eligibilityRows(before, after)} />
    </div>
  )
}

function Counts({ title, rows }: { title: string; rows: CountRow[] }) {
  const most = Math.max(1, ...rows.map((row) => Math.max(row.after, row.before ?? 0)))
  const isCompared = rows.some(({ before }) => before !== null)
  const shown = useZeroRows(rows, ({ before, after }) => after === 0 && (before ?? 0) === 0)
  return (
    <div>
      <FixedTable className={classes.counts}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {isCompared && (
              <th scope="col" data-number>
                Before
              </th>
            )}
            <th scope="col" data-number>
              {isCompared ? 'After' : 'Prospects'}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.rows.map(({ id, label, before, after }) => (
            <tr key={id}>
              <th scope="row">
                <Name of={label} />
                <span aria-hidden className={classes.bar} style={{ width: `${(after / most) * 100}%` }} />
              </th>
              {isCompared && <td data-number>{before === null ? '–' : formatNumber(before)}</td>}
              <td data-number>{formatNumber(after)}</td>
            </tr>
          ))}
        </tbody>
      </FixedTable>
      {shown.button}
    </div>
  )
}
