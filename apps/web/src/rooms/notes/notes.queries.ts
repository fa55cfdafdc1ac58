import type { Note } from '@prospect/api-client'
import { api } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { recordKey } from '../../ui/prospects/record-keys.ts'

export const notesQuery = (businessId: string) =>
  pagedQuery<Note>([...recordKey(businessId), 'notes'], `/businesses/${businessId}/notes`)

export type NoteInput = { text: string; sensitive: boolean }

export const addNote = (businessId: string, body: NoteInput, idempotencyKey: string) =>
  api.post<Note>(`/businesses/${businessId}/notes`, { body, idempotencyKey })
