import { Button } from '@mantine/core'
import { countWords, type Nouns } from '../text/count-words.ts'
import { formatNumber } from '../text/format.ts'
import type { BulkActions, ListSelection } from './list-types.ts'
import classes from './list-view.module.css'

type Props = { selection: ListSelection; nouns: Nouns; bulk: BulkActions }

/** Bar below the list while rows are selected: their number and the bulk actions. */
export function SelectionBar({ selection, nouns, bulk }: Props) {
  const words = selectionWords(selection, nouns)
  return (
    <>
      <p role="status" className="pp-visually-hidden">
        {words}
      </p>
      {words !== null && (
        <section aria-label="Selection" className={classes.selection}>
          <span className={classes.count} aria-hidden>
            {words}
          </span>
          {selection.hasMore && selection.allBut === null && bulk.matching?.(selection)}
          <Button variant="subtle" size="compact-sm" onClick={selection.clear}>
            Clear selection
          </Button>
          <span className={classes.actions}>{bulk.actions(selection)}</span>
        </section>
      )}
    </>
  )
}

function selectionWords({ ids, allBut, matching }: ListSelection, nouns: Nouns): string | null {
  const noun = (count: number) => countWords(count, nouns.one, nouns.many)
  if (allBut === null) return ids.length === 0 ? null : `${noun(ids.length)} selected`
  const all = matching === null ? `All ${nouns.many} that match` : `All ${noun(matching)} that match`
  return allBut.length === 0 ? `${all} selected` : `${all} selected, but for ${formatNumber(allBut.length)}`
}
