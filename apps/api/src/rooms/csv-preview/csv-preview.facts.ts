import { defineFacts } from '../define-facts.ts'

export const csvPreviewFacts = defineFacts({
  room: 'csv-preview',
  permissions: { 'sources.preview': { role: 'operator', label: 'Preview CSV files' } },
  workActions: { 'source.preview': 'CSV file previewed' },
  auditSubjects: {
    csv_preview: { label: 'CSV preview', hidden: 'belongs to the person who made it' },
  },
})
