import { z } from 'zod'
import { answerChange, idempotencyHeaders, idempotencyOf } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { change } from '../../store/change/change.ts'
import { businessParams } from '../businesses/businesses.ts'
import { addNoteSchema, notePageSchema, noteSchema } from './notes.schema.ts'
import { addNote, getNote, listNotes } from './notes.ts'

export const noteRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/businesses/:businessId/notes',
    {
      schema: {
        operationId: 'listNotes',
        tags: ['notes'],
        summary: 'The notes of one prospect, newest first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: notePageSchema },
      },
      config: { permission: 'notes.read' },
    },
    (request) => listNotes(store, cursors, actorOf(request), request.params.businessId, request.query),
  )

  app.post(
    '/businesses/:businessId/notes',
    {
      schema: {
        operationId: 'addNote',
        tags: ['notes'],
        summary: 'Add a note; it stays as it is written',
        params: businessParams,
        headers: idempotencyHeaders,
        body: addNoteSchema,
        response: { 201: noteSchema },
      },
      config: { permission: 'notes.write' },
    },
    async (request, reply) => {
      const options = { permission: 'notes.write', action: 'note.add', idempotency: idempotencyOf(request) } as const
      const { businessId } = request.params
      const actor = actorOf(request)
      const { value, replayed } = await change(store, actor, options, (tx) => addNote(tx, businessId, request.body))
      return answerChange(reply, 201, { value: await getNote(store.reader, actor, businessId, value.id), replayed })
    },
  )
}
