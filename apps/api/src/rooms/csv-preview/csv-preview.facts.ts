import { defineFacts } from '../define-facts.ts'

export const csvPreviewFacts = defineFacts({
  room: 'csv-preview',
  permissions: { 'sources.preview': { role: 'operator', label: 'Preview CSV files' } },
  actions: { 'source.preview': 'CSV file previewed' },
  capabilities: [
    {
      phase: 5,
      area: 'Sources',
      status: 'partial',
      reason:
        'A CSV file can be previewed row by row; nothing of it is stored or imported. There is no source registry, dry run or adapter.',
    },
  ],
})
