import { Alert, Button, Kbd } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import classes from './record-form.module.css'

/** Ctrl-Enter or Cmd-Enter saves from any field, also from one where Enter alone means something else. */
export function saveOnModEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

type Props = { label: string; isSaving: boolean; failure: string | null; cancel: () => void; note?: string }

export function SaveBar({ label, isSaving, failure, cancel, note }: Props) {
  return (
    <div className={classes.foot}>
      <div className={classes.failure}>
        {failure !== null && (
          <Alert color="red" variant="outline" icon={<IconAlertCircle />} title="Not saved">
            {failure} What you typed is still here.
          </Alert>
        )}
      </div>
      <Button type="submit" loading={isSaving}>
        {label}
      </Button>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <span className={classes.footNote}>
        {note ?? (
          <>
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> saves
          </>
        )}
      </span>
    </div>
  )
}
