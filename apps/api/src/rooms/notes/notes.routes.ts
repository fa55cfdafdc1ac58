import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { businessParams } from '../businesses/businesses.ts'
import { addNoteSchema, notePageSchema, noteSchema } from './notes.schema.ts'
import { addNote, getNote, notesOfBusiness } from './notes.ts'

export const noteRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'notes' })

  route.read({
    url: '/businesses/:businessId/notes',
    id: 'listNotes',
    summary: 'List the notes of one prospect, newest first',
    permission: 'notes.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: notePageSchema,
    answer: ({ actor, params, query }) => notesOfBusiness.list(store, cursors, actor, params.businessId, query),
  })

  route.change({
    url: '/businesses/:businessId/notes',
    id: 'addNote',
    summary: 'Add a note; notes are never edited',
    permission: 'notes.write',
    action: 'note.add',
    params: businessParams,
    body: addNoteSchema,
    response: noteSchema,
    status: 201,
    work: (tx, { params, body }) => addNote(tx, params.businessId, body),
    answer: ({ id }, { actor, params }) => getNote(store.reader, actor, params.businessId, id),
  })
}
