import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { businessParams } from '../businesses/businesses.ts'
import { addNoteSchema, notePageSchema, noteSchema } from './notes.schema.ts'
import { addNote, getNote, notesOfBusiness } from './notes.ts'

export const noteRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/businesses/:businessId/notes',
    {
      schema: {
        operationId: 'listNotes',
        tags: ['notes'],
        summary: 'List the notes of one prospect, newest first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: notePageSchema },
      },
      config: { permission: 'notes.read' },
    },
    (request) => notesOfBusiness.list(store, cursors, actorOf(request), request.params.businessId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/notes',
    permission: 'notes.write',
    action: 'note.add',
    schema: {
      operationId: 'addNote',
      tags: ['notes'],
      summary: 'Add a note; notes are never edited',
      params: businessParams,
      headers: idempotencyHeaders,
      body: addNoteSchema,
      response: { 201: noteSchema },
    },
    status: 201,
    work: (tx, { params, body }) => addNote(tx, params.businessId, body),
    answer: ({ id }, { actor, params }) => getNote(store.reader, actor, params.businessId, id),
  })
}
