import { type Actor, actorKey, actorRef } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { businessChild, getActiveBusiness, getBusiness } from '../businesses/businesses.ts'
import { getNoteRow, insertNote, type NoteRow, selectNotes } from './notes.queries.ts'
import type { AddNote, Note } from './notes.schema.ts'

/*
 * Notes are write-once: they are never edited or deleted. Their text is stored in the note only, never in an audit event or a log (specification,
 * Resources: Note). Reading a sensitive note requires `notes.read_sensitive`, except for its author, who wrote the text. Any text about a do not
 * contact record can contain its address or number, so only people who may see contact values see it.
 */

/**
 * Adds a note to an active business. Returns its id instead of the note, because the response of a change is stored for replays of its idempotency
 * key and would contain a second copy of the text, readable without `notes.read_sensitive`. Errors: `not_found`, `business_not_active`.
 */
export async function addNote(tx: Tx, businessId: string, { text, sensitive }: AddNote): Promise<{ id: string }> {
  await getActiveBusiness(tx, businessId)
  const id = newId()
  const { tenantId } = tx.actor
  await insertNote(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    text,
    sensitive: sensitive ? 1 : 0,
    author: actorKey(tx.actor),
    created_at: tx.at,
  })
  await tx.record({ subject: { type: 'note', id }, businessId, after: { sensitive, characters: text.length } })
  return { id }
}

/** Returns one note of the business, without a sensitive text that this reader may not see. Errors: `not_found`. */
export async function getNote(db: Tx['db'], reader: Actor, businessId: string, id: string): Promise<Note> {
  await getBusiness(db, reader.tenantId, businessId)
  return toNote(await getNoteRow(db, reader.tenantId, id), reader)
}

/**
 * Notes as children of a business: those of the business and of records merged into it, newest first. Sensitive texts that the reader may not see are
 * left out.
 */
export const notesOfBusiness = businessChild<NoteRow, Note>({
  name: 'notes',
  table: 'notes',
  select: (db, { before: [before] = [], ...wanted }) => selectNotes(db, { ...wanted, before }),
  businessOf: (row) => row.business_id,
  toItem: (row, { reader }) => toNote(row, reader),
})

function toNote(row: NoteRow, reader: Actor): Note {
  const sensitive = row.sensitive === 1
  const redacted = sensitive && !reader.permissions.has('notes.read_sensitive') && row.author !== actorKey(reader)
  return {
    id: row.id,
    businessId: row.business_id,
    text: redacted ? null : row.text,
    sensitive,
    redacted,
    author: actorRef(row.author, row.author_name),
    createdAt: row.created_at,
  }
}

export { addNoteSchema } from './notes.schema.ts'
