import { Button, Switch, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type AddNoteData, addNote } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { AutofocusContext } from '../../ui/focus/autofocus-context.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { saveFailureOf, saveFailureTitle } from '../../ui/forms/save-failure.tsx'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../ui/forms/use-draft.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { recordName, refreshRecord } from '../../ui/prospects/record-keys.ts'
import classes from './notes.module.css'

type NoteInput = Required<AddNoteData['body']>

const blank: NoteInput = { text: '', sensitive: false }

function parseNote(value: unknown): NoteInput | null {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') return null
  return { text: value.text, sensitive: 'sensitive' in value && value.sensitive === true }
}

const isSensitive = (note: NoteInput) => note.sensitive

/** `takesNotes` is false where the record was merged, say, while somebody wrote: then a text that is there already stays, and nothing else. */
type Props = {
  businessId: string
  takesNotes: boolean
  /** Another object each time the person asks to write a note. */
  asked: object | undefined
}

/** A note in the making. Unsaved text is simply there again on return. */
export function NoteComposer({ businessId, takesNotes, asked }: Props) {
  const draft = useDraft<NoteInput>(`note-${businessId}`, parseNote, {
    isSensitive,
    gone: () => {
      setNote(blank)
      setFailure(null)
    },
  })
  const [note, setNote] = useState(draft.restored?.value ?? blank)
  const [failure, setFailure] = useState<string | null>(null)
  const canReadSensitive = useCan('notes.read_sensitive')
  const { keyFor, done, refused } = useIdempotencyKey(draft.attempts)
  const queryClient = useQueryClient()
  const input = useRef<HTMLTextAreaElement>(null)
  const takesFocus = useContext(AutofocusContext)

  useEffect(() => {
    if (asked !== undefined && takesFocus()) input.current?.focus()
  }, [asked, takesFocus])

  const change = (next: NoteInput) => {
    setNote(next)
    setFailure(null)
    if (next.text === '') draft.clear()
    else draft.keep(next)
  }

  const save = useMutation({
    meta: { notSaved: `a note of ${recordName(queryClient, businessId)}` },
    mutationFn: (body: NoteInput) => dataOf(addNote({ path: { businessId }, body, ...withKey(keyFor(body)) })),
    onSuccess: () => {
      done()
      change(blank)
      notifications.show({ message: 'Note added.' })
      void refreshRecord(queryClient, businessId)
      input.current?.focus()
    },
    onError: (error) => {
      refused(error)
      const about = isProblem(error) ? error.errors.map(({ message }) => message).join(' ') : ''
      const failed = saveFailureOf(error)
      setFailure(about === '' ? `${saveFailureTitle(failed)}. ${failed.text} What you typed is still here.` : about)
      input.current?.focus()
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    if (note.text.trim() === '') {
      setFailure('Write something first.')
      input.current?.focus()
      return
    }
    save.mutate(note)
  }

  if (!takesNotes && note.text === '') return null
  return (
    <form
      className={classes.composer}
      onSubmit={submit}
      noValidate
      aria-label="Write a note"
      onKeyDown={submitOnModEnter}
    >
      <Textarea
        ref={input}
        label="New note"
        description={draft.restored === null ? null : <DraftHint draft={draft.restored} />}
        autosize
        minRows={2}
        maxRows={14}
        value={note.text}
        error={failure}
        // Read-only while it is on its way, so that nothing typed meanwhile is cleared with it.
        readOnly={save.isPending}
        onChange={(event) => change({ ...note, text: event.currentTarget.value })}
      />
      <div className={classes.actions}>
        <Switch
          label="Sensitive"
          description={
            <>
              {canReadSensitive
                ? 'Only administrators and managers read the text.'
                : 'Only administrators and managers read the text: not even you, once it is saved.'}
              {note.sensitive && ' Until then it is kept in this tab alone, and is gone when you close it.'}
            </>
          }
          checked={note.sensitive}
          // What is on its way was sent as it was.
          onChange={(event) => !save.isPending && change({ ...note, sensitive: event.currentTarget.checked })}
        />
        <Button type="submit" loading={save.isPending}>
          Add note
        </Button>
      </div>
    </form>
  )
}
