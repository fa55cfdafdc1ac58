import type { ScoringPreview, ScoringPreviewResult } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { FixedTable, useZeroRows } from '../../../ui/lists/fixed-table.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import { cellName, matrixRows } from './distribution-words.ts'

type Props = { preview: ScoringPreview; result: ScoringPreviewResult; of: 'priority' | 'eligibility' }

/** Exact counts by priority or eligibility before (row) and after (column). A count of changed prospects links to the largest moves. */
export function Matrix({ preview, result, of }: Props) {
  const { rows, button } = useZeroRows(matrixRows(result[of]), (row) => row.counts.every(({ count }) => count === 0))
  const columns = rows[0]?.counts ?? []
  const title = of === 'priority' ? 'Priority changes' : 'Eligibility changes'
  const nameOf = (id: string) => cellName(of, id, result)
  return (
    <div className={classes.scroller}>
      <FixedTable className={classes.counts}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Before, then after</th>
            {columns.map(({ id }) => (
              <th key={id} scope="col" data-number>
                <Name of={nameOf(id)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Name of={nameOf(row.id)} />
              </th>
              {row.counts.map(({ id, count }) => (
                <td key={id} data-number data-same={row.id === id || undefined}>
                  {count === 0 ? (
                    <span className={classes.zero}>0</span>
                  ) : (
                    <Link
                      to="/scoring/previews/$previewId"
                      params={{ previewId: preview.id }}
                      search={{ of, from: row.id, to: id }}
                      hash="moves"
                      aria-label={`${formatNumber(count)} from ${nameOf(row.id)} to ${nameOf(id)}`}
                    >
                      {formatNumber(count)}
                    </Link>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </FixedTable>
      {button}
    </div>
  )
}
