import { Button, Switch, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addNote } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useRef } from 'react'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { AutofocusContext } from '../../ui/focus/autofocus-context.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { saveFailureOf, saveFailureTitle } from '../../ui/forms/save-failure.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { recordName, refreshRecord } from '../../ui/prospects/record-keys.ts'
import classes from './notes.module.css'

const blank = { text: '', sensitive: false }

/** `takesNotes` is false if the record no longer accepts notes, for example after a merge. Then only an already typed text stays. */
type Props = {
  businessId: string
  takesNotes: boolean
  /** A new object for each request to write a note, which focuses the field. */
  asked: object | undefined
  /** Called after a note was added. Absent: the next one can be written. */
  added?: () => void
}

/** Form for a new note. An unsaved draft appears without a hint. */
export function NoteComposer({ businessId, takesNotes, asked, added }: Props) {
  const queryClient = useQueryClient()
  const input = useRef<HTMLTextAreaElement>(null)
  const takesFocus = useContext(AutofocusContext)
  const save = useSaveForm({
    initial: blank,
    validate: ({ text }): FieldErrors => (text.trim() === '' ? { text: 'Enter a note.' } : {}),
    send: (body, { key }) => dataOf(addNote({ path: { businessId }, body, ...withKey(key) })),
    payloadOf: (body) => body,
    onSaved: () => {
      save.reset()
      notifications.show({ message: 'Note added.' })
      void refreshRecord(queryClient, businessId)
      if (added === undefined) input.current?.focus()
      else added()
    },
    // The form has one field, so all errors appear beside it.
    explain: (error) => {
      const about = isProblem(error) ? error.errors.map(({ message }) => message).join(' ') : ''
      const failed = saveFailureOf(error)
      const text = `${saveFailureTitle(failed)}. ${failed.text} Your text is still here.`
      return { fields: { text: about === '' ? text : about } }
    },
    what: `a note of ${recordName(queryClient, businessId)}`,
    together: ['text', 'sensitive'],
    draft: {
      name: `note-${businessId}`,
      isBlank: ({ text }) => text === '',
      isSensitive: ({ sensitive }) => sensitive,
    },
  })
  const { form, values } = save

  useEffect(() => {
    if (asked !== undefined && takesFocus()) input.current?.focus()
  }, [asked, takesFocus])

  if (!takesNotes && values.text === '') return null
  return (
    <SaveForm
      save={save}
      className={classes.composer}
      aria-label="Write a note"
      actions={
        <div className={classes.actions}>
          <Switch
            label="Sensitive"
            description={
              <>
                Only you, administrators and managers can read the text.
                {values.sensitive && ' The draft is lost when you close this tab.'}
              </>
            }
            {...form.getInputProps('sensitive', { type: 'checkbox' })}
          />
          <Button type="submit" loading={save.isSaving}>
            Add note
          </Button>
        </div>
      }
    >
      <Textarea
        ref={input}
        label="New note"
        description={save.restored === null ? null : <DraftHint draft={save.restored} />}
        autosize
        minRows={2}
        maxRows={14}
        {...form.getInputProps('text')}
      />
    </SaveForm>
  )
}
