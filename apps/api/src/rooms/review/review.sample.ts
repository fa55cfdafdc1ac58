import type { SampleDesk } from '../sample-desk.ts'
import { createFilterSchema } from './filters/filters.schema.ts'
import { createFilter } from './filters/saved-filters.ts'

const filters = [
  {
    desk: 'prospects',
    name: 'My open calls',
    filter: [
      { field: 'assignee', op: 'any_of', values: ['me'] },
      { field: 'followUp', op: 'any_of', values: ['overdue', 'today'] },
    ],
  },
  {
    desk: 'prospects',
    name: 'Gauteng, in progress',
    filter: [
      { field: 'province', op: 'any_of', values: ['GP'] },
      { field: 'state', op: 'any_of', values: ['contacted', 'qualified', 'proposal', 'negotiation'] },
    ],
  },
  { desk: 'prospects', name: 'Without evidence', filter: [{ field: 'hasEvidence', op: 'any_of', values: [false] }] },
]

/** Adds filters that the desk shares. */
export async function sampleReview({ people, as }: SampleDesk): Promise<void> {
  for (const filter of filters) {
    const input = createFilterSchema.parse({ ...filter, sharing: 'tenant' })
    await as(people.manager, 'saved_filter.create', (tx) => createFilter(tx, people.manager, input))
  }
}
