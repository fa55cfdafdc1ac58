import { defineFacts } from '../define-facts.ts'

export const sampleDataFacts = defineFacts({
  room: 'sample-data',
  permissions: {
    'sample_data.create': { role: 'administrator', label: 'Fill an empty workspace with sample prospects' },
  },
  systemActors: ['sample data', 'sample approval'],
})
