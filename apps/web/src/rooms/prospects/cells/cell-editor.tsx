import type { BusinessSummary } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CellEditorProps } from '../../../ui/lists/table/table-types.ts'
import { businessQuery } from '../../../ui/prospects/record-queries.ts'
import { listedFacts } from '../../../ui/text/facts.ts'
import { type EditedField, isEditable } from './edited-fields.ts'
import { FieldEditor } from './field-editor.tsx'

const fieldOfColumn: Record<string, EditedField> = {
  name: 'name',
  assignee: 'assigneeId',
  city: 'address.city',
  province: 'address.province',
  phone: 'phones.0',
  email: 'emails.0',
  domain: 'domains.0',
  ...Object.fromEntries(listedFacts.map((field) => [field, field])),
  tags: 'tags',
}

/** Edits a cell of the list of prospects: reads the whole record first, because a list holds only parts of it. */
export function CellEditor({ row, columnId, close }: CellEditorProps<BusinessSummary>) {
  const { data, isError } = useQuery(businessQuery(row.id))
  const field = fieldOfColumn[columnId]
  const isClosed = isError || field === undefined || (data !== undefined && !isEditable(data, field))
  useEffect(() => {
    if (isClosed) close('stay')
  }, [isClosed, close])
  if (data === undefined || field === undefined || isClosed) return <span aria-busy="true">…</span>
  return <FieldEditor business={data} field={field} close={close} isCell />
}
