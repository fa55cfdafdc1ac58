import { Button, Kbd } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { moveOnEnter } from '../../../ui/forms/move-on-enter.ts'
import { NotSaved, type SaveFailure } from '../../../ui/forms/save-failure.tsx'
import { isModEnter, submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import type { SaveForm } from '../../../ui/forms/use-save-form.ts'
import type { ProspectFormValues } from './prospect-form.ts'
import classes from './record-form.module.css'

/** Handles the keys of a record form. Ctrl-Enter or Cmd-Enter saves from any field; with Shift it presses the second button. Enter alone moves on. */
export function recordFormKeys(event: KeyboardEvent<HTMLFormElement>) {
  if (isModEnter(event)) submitOnModEnter(event)
  else moveOnEnter(event)
}

/** Moves the focus to the first field. */
export function focusName({ formProps }: Pick<SaveForm<ProspectFormValues>, 'formProps'>): void {
  formProps.ref.current?.querySelector<HTMLElement>('[data-path="name"]')?.focus()
}

type Props = {
  label: string
  /** Label of the second save button. */
  otherLabel?: string
  isSaving: boolean
  failure: SaveFailure | null
  look?: ReactNode
  cancel: () => void
}

export function SaveBar({ label, otherLabel, isSaving, failure, look, cancel }: Props) {
  return (
    <div className={classes.foot}>
      <div className={classes.failure}>
        <NotSaved failure={failure} look={look} />
      </div>
      <Button type="submit" loading={isSaving}>
        {label}
      </Button>
      {otherLabel !== undefined && (
        <Button type="submit" variant="default" data-other disabled={isSaving}>
          {otherLabel}
        </Button>
      )}
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <span className={classes.footNote}>
        <Kbd size="xs">Ctrl</Kbd>+<Kbd size="xs">Enter</Kbd> saves
        {otherLabel !== undefined && (
          <>
            , +<Kbd size="xs">Shift</Kbd> adds another
          </>
        )}
      </span>
    </div>
  )
}
