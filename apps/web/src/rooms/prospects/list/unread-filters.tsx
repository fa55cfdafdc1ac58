import { Button } from '@mantine/core'
import { listWords } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from './filter-bar.module.css'

/** What an address asks and nobody can read; without it the list would look as if it were narrowed. */
export function UnreadFilters({ unread, clear }: { unread: readonly string[]; clear: () => void }) {
  if (unread.length === 0) return null
  return (
    <p role="alert" className={classes.unread}>
      Filters in this link that could not be read, and are ignored: {listWords(unread.map(nameText))}.{' '}
      <Button size="compact-xs" variant="default" onClick={clear}>
        Remove
      </Button>
    </p>
  )
}
