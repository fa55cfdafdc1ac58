import { type Cursors, newestFirst, type Page, type PageQuery } from '../../http/pagination.ts'
import { type Actor, actorKey, actorRef, type UserActor } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { updateInParts } from '../../store/change/in-parts.ts'
import type { Store } from '../../store/store.ts'
import {
  ERASED,
  getActiveBusiness,
  getBusiness,
  hidesWrittenFor,
  newestIdFirst,
  throughMerges,
} from '../businesses/businesses.ts'
import { getNoteRow, insertNote, type NoteRow, selectNotes } from './notes.queries.ts'
import type { AddNote, Note } from './notes.schema.ts'

/*
 * Notes are written once and stay: no edit, no deletion. Their text lives in the note alone, never in an audit event or a log
 * (specification, Resources: Note). A sensitive note's text is for those who hold `notes.read_sensitive`, its author included
 * only if they do; any text about a record that is do not contact may hold its address or number, and is for those who may see them.
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

/** One note of the business as this reader may see it. Errors: `not_found`. */
export async function getNote(db: Tx['db'], reader: Actor, businessId: string, id: string): Promise<Note> {
  const business = await getBusiness(db, reader.tenantId, businessId)
  const row = await getNoteRow(db, reader.tenantId, id)
  const isHidden = await hidesWrittenFor(db, reader, business, [row.business_id])
  return toNote(row, reader, isHidden(row.business_id))
}

/** The notes of one business and of those merged into it, newest first; texts withheld from those who may not read them. */
export async function listNotes(
  store: Store,
  cursors: Cursors,
  actor: UserActor,
  businessId: string,
  query: PageQuery,
): Promise<Page<Note>> {
  const { tenantId } = actor
  const business = await getBusiness(store.reader, tenantId, businessId)
  return newestFirst({
    cursors,
    binding: ['notes', tenantId, businessId],
    query,
    fetch: async (before, limit) => {
      const rows = await throughMerges(
        store.reader,
        { tenantId, businessId },
        (id) => selectNotes(store.reader, { tenantId, businessId: id, before, limit }),
        newestIdFirst,
      )
      const writtenFor = rows.map((row) => row.business_id)
      const isHidden = await hidesWrittenFor(store.reader, actor, business, writtenFor)
      return rows.map((row) => ({ ...row, isHidden: isHidden(row.business_id) }))
    },
    toItem: (row) => toNote(row, actor, row.isHidden),
  })
}

function toNote(row: NoteRow, reader: Actor, isHidden: boolean): Note {
  const sensitive = row.sensitive === 1
  const redacted = isHidden || (sensitive && !reader.permissions.has('notes.read_sensitive'))
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

/** Empties the notes of these records; that they were written, when and by whom stays. For the erasure room. Answers how many. */
export async function eraseNotes(tx: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = tx.actor
  const rows = await tx.db
    .selectFrom('notes')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', businessIds)
    .execute()
  return updateInParts(rows, (ids) =>
    tx.db.updateTable('notes').set({ text: ERASED }).where('tenant_id', '=', tenantId).where('id', 'in', ids),
  )
}

export { addNoteSchema } from './notes.schema.ts'
