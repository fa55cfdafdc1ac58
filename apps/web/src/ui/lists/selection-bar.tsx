import { Button } from '@mantine/core'
import { formatNumber } from '../text/format.ts'
import type { BulkActions, ListSelection, Nouns } from './list-types.ts'
import classes from './list-view.module.css'

type Props = { selection: ListSelection; nouns: Nouns; bulk: BulkActions }

/** Below the list while rows are selected: how many, and what can be done with them. */
export function SelectionBar({ selection, nouns, bulk }: Props) {
  const count = selection.ids.length
  const words = `${formatNumber(count)} ${count === 1 ? nouns.one : nouns.many} selected`
  return (
    <>
      <p role="status" className="pp-visually-hidden">
        {count > 0 && words}
      </p>
      {count > 0 && (
        <section aria-label="Selection" className={classes.selection}>
          <span className={classes.count} aria-hidden>
            {words}
          </span>
          {selection.hasMore && bulk.matching?.(selection)}
          <Button variant="subtle" size="compact-sm" onClick={selection.clear}>
            Clear selection
          </Button>
          <span className={classes.actions}>{bulk.actions(selection)}</span>
        </section>
      )}
    </>
  )
}
