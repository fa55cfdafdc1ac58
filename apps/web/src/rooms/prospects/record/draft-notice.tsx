import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { DateTime } from '../../../ui/text/date-time.tsx'
import classes from './record-form.module.css'

type Props = { savedAt: string; discard: () => void }

/**
 * Notice that unsaved text of an earlier visit was restored, with a button to discard it. The text is restored without a question, because otherwise
 * the first typed letter would replace the draft. Screen readers do not announce the notice, because it is rendered with the form; therefore the
 * description of the first field says the same.
 */
export function DraftNotice({ savedAt, discard }: Props) {
  return (
    <div className={classes.draft}>
      <IconHistory size={16} aria-hidden />
      <span>
        Restored your unsaved draft from <DateTime at={savedAt} />.
      </span>
      <Button variant="default" onClick={discard}>
        Discard draft
      </Button>
    </div>
  )
}
