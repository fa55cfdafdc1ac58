import { FixedTable } from '../../../ui/lists/fixed-table.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import type { ContentChange } from './content-diff.ts'

type Props = { changes: readonly ContentChange[]; before: string; after: string }

/** Differences between two contents, side by side. */
export function ChangeTable({ changes, before, after }: Props) {
  return (
    <FixedTable look="stacked" className={classes.table} aria-label={`Changes from ${before} to ${after}`}>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={`${change.what} ${change.before} ${change.after}`}>
            <td>
              {change.what} <span className={classes.soft}>{kindOf(change)}</span>
            </td>
            <td>{change.before === null ? '–' : <Name of={change.before} />}</td>
            <td>{change.after === null ? '–' : <Name of={change.after} />}</td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}

function kindOf({ before, after }: ContentChange): string {
  if (before === null) return 'added'
  return after === null ? 'removed' : 'changed'
}
