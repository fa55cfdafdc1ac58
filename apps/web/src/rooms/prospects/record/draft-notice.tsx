import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { DateTime } from '../../../ui/text/date-time.tsx'
import classes from './record-form.module.css'

type Props = { savedAt: string; discard: () => void }

/**
 * Text from an earlier visit that was never saved is put back at once: waiting for a "restore" would let the first
 * letter typed replace it. Starting over is the choice that has to be made. It stands there from the start, so a screen
 * reader would not speak of it: the first field says it too.
 */
export function DraftNotice({ savedAt, discard }: Props) {
  return (
    <div className={classes.draft}>
      <IconHistory size={16} aria-hidden />
      <span>
        Restored your unsaved draft, <DateTime at={savedAt} />.
      </span>
      <Button variant="default" onClick={discard}>
        Discard draft
      </Button>
    </div>
  )
}
