import { notFound } from '../../lib/app-error.ts'
import type { Db } from '../../store/database.ts'
import type { NoteTable } from './notes.table.ts'

export type NoteRow = NoteTable & { author_name: string | null }

export async function insertNote(db: Db, row: NoteTable): Promise<void> {
  await db.insertInto('notes').values(row).execute()
}

function notesWithAuthor(db: Db) {
  return db
    .selectFrom('notes as n')
    .leftJoin('users as u', 'u.id', 'n.author')
    .selectAll('n')
    .select('u.name as author_name')
}

export async function getNoteRow(db: Db, tenantId: string, id: string): Promise<NoteRow> {
  return notesWithAuthor(db)
    .where('n.tenant_id', '=', tenantId)
    .where('n.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Returns a page of notes, newest first. Sorts by id, because ids are ordered by time. */
export async function selectNotes(
  db: Db,
  wanted: { tenantId: string; businessId: string; before: string | undefined; limit: number },
): Promise<NoteRow[]> {
  const { tenantId, businessId, before, limit } = wanted
  return notesWithAuthor(db)
    .where('n.tenant_id', '=', tenantId)
    .where('n.business_id', '=', businessId)
    .$if(before !== undefined, (query) => query.where('n.id', '<', before ?? ''))
    .orderBy('n.id', 'desc')
    .limit(limit)
    .execute()
}
