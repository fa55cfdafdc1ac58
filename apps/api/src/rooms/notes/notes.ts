import { type Cursors, type Page, toPage } from '../../http/pagination.ts'
import { type Actor, actorKey, actorRef, type UserActor } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import { getActiveBusiness, getBusiness } from '../businesses/businesses.ts'
import { getNoteRow, insertNote, type NoteRow, selectNotes } from './notes.queries.ts'
import type { AddNote, Note } from './notes.schema.ts'

/*
 * Notes are written once and stay: no edit, no deletion. Their text lives in the note alone, never in an audit event or a log
 * (specification, Resources: Note). A sensitive note's text is for those who hold `notes.read_sensitive`, its author included
 * only if he does.
 */

/**
 * Adds a note to an active business and answers its id, not the note: what a change answers is kept for replays of its
 * idempotency key, and there the text would stand a second time, readable without `notes.read_sensitive`.
 * Errors: `not_found`, `business_not_active`.
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

/** One note as this reader may see it. Errors: `not_found`. */
export async function getNote(db: Tx['db'], reader: Actor, id: string): Promise<Note> {
  return toNote(await getNoteRow(db, reader.tenantId, id), reader)
}

/** The notes of one business, newest first; sensitive texts withheld from those who may not read them. */
export async function listNotes(
  store: Store,
  cursors: Cursors,
  actor: UserActor,
  businessId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Note>> {
  await getBusiness(store.reader, actor.tenantId, businessId)
  const binding = ['notes', actor.tenantId, businessId]
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const rows = await selectNotes(store.reader, { tenantId: actor.tenantId, businessId, before, limit: limit + 1 })
  return toPage({
    rows,
    limit,
    total: null,
    toItem: (row) => toNote(row, actor),
    cursorAfter: (row) => cursors.encode(binding, [row.id]),
  })
}

function toNote(row: NoteRow, reader: Actor): Note {
  const sensitive = row.sensitive === 1
  const redacted = sensitive && !reader.permissions.has('notes.read_sensitive')
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
