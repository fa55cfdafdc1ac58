import type { Business, Note } from '@prospect/api-client'
import { IconEyeOff, IconShieldLock } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { Origin } from '../../ui/prospects/origin.tsx'
import { useRecordForm } from '../../ui/rooms/record-page.ts'
import type { RecordForm } from '../../ui/rooms/record-parts.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { NoteComposer } from './note-composer.tsx'
import classes from './notes.module.css'
import { notesQuery } from './notes.queries.ts'

/** The note form, which is always open. A new start moves the focus to it. */
export const noteForm: RecordForm<object> = { id: 'note', tab: 'notes' }

export function NotesTab({ business }: { business: Business }) {
  const [asked] = useRecordForm(noteForm)
  const list = useInfiniteQuery(notesQuery(business.id))
  const mayWrite = useCan('notes.write')
  const canWrite = useCanWork('notes.write', business)
  return (
    <div className={classes.tab}>
      {mayWrite && business.erasedAt === null && (
        <NoteComposer businessId={business.id} takesNotes={canWrite} asked={asked} />
      )}
      <ListBody
        list={list}
        data={list.data}
        noun="notes"
        lines={6}
        empty={
          <Empty title="No notes yet">
            {canWrite
              ? 'Write what the next person should know. Notes cannot be edited later.'
              : `Nobody has written a note.${mayWrite ? '' : ' Your role can read notes, but not write them.'}`}
          </Empty>
        }
      >
        {(items) => (
          <ol aria-label="Notes, newest first">
            {items.map((note) => (
              <NoteItem key={note.id} note={note} shownOn={business.id} />
            ))}
          </ol>
        )}
      </ListBody>
    </div>
  )
}

function NoteItem({ note, shownOn }: { note: Note; shownOn: string }) {
  return (
    <li className={classes.item}>
      <p className={classes.meta}>
        <b>
          <Name of={note.author.name} />
        </b>{' '}
        <DateTime at={note.createdAt} />
        {note.sensitive && (
          <span className={classes.sensitive}>
            <IconShieldLock size={13} aria-hidden />
            Sensitive
          </span>
        )}
        <Origin of={note.businessId} on={shownOn} />
      </p>
      {note.redacted ? (
        <p className={classes.redacted}>
          <IconEyeOff size={15} aria-hidden />
          Your role cannot read this note.
        </p>
      ) : (
        <p className={classes.text}>
          <Name of={note.text ?? ''} />
        </p>
      )}
    </li>
  )
}
