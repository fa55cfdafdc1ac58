import { useState } from 'react'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { NoteComposer } from './note-composer.tsx'

/** A note of a prospect that is selected in a list. */
export function NoteDialog({ business, close }: OpenProps) {
  const [asked] = useState({})
  return (
    <Dialog title={`Note on ${nameText(business.name)}`} onClose={close}>
      <NoteComposer businessId={business.id} takesNotes={business.status === 'active'} asked={asked} added={close} />
    </Dialog>
  )
}
