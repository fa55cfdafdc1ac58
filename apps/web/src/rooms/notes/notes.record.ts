import { IconNote } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { NoteDialog } from './note-dialog.tsx'
import { NotesTab, noteForm } from './notes-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'notes', label: 'Notes', permission: 'notes.read', position: 3, Content: NotesTab }],
  dialogs: [{ id: 'note', Content: NoteDialog }],
  actions: [
    {
      id: 'record.note',
      label: 'Write a note',
      shortLabel: 'Note',
      Icon: IconNote,
      keys: 'n',
      permission: 'notes.write',
      at: 'button',
      run: (page) => page.openForm(noteForm, {}),
    },
  ],
}
