import { listNotes } from '@prospect/api-client'
import { listNotesQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'

export const notesQuery = (businessId: string) =>
  pagedQuery(listNotesQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listNotes({ path: { businessId }, query, signal })),
  )
