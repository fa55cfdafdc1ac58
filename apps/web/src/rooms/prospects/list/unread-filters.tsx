import { Button } from '@mantine/core'
import { listWords } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from './filter-bar.module.css'

/** Warning about filters of the address that are invalid and therefore ignored. Without it the list would appear to be filtered. */
export function UnreadFilters({ unread, clear }: { unread: readonly string[]; clear: () => void }) {
  if (unread.length === 0) return null
  return (
    <p role="alert" className={classes.unread}>
      These filters in the link could not be read and are ignored: {listWords(unread.map(nameText))}.{' '}
      <Button size="compact-xs" variant="default" onClick={clear}>
        Remove
      </Button>
    </p>
  )
}
