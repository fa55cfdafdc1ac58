import type { SampleDesk } from '../sample-desk.ts'
import { createExportSchema } from './exports.schema.ts'
import { requestExport } from './exports.ts'

/** Requests a file of the prospects in Gauteng; the API writes it when it runs. */
export async function sampleExports({ people, as }: SampleDesk): Promise<void> {
  const input = createExportSchema.parse({
    source: 'prospects',
    format: 'csv',
    spreadsheet: { separator: 'semicolon', decimal: 'comma' },
    filter: [{ field: 'province', op: 'any_of', values: ['GP'] }],
  })
  await as(people.manager, 'export.request', (tx) => requestExport(tx, people.manager, input))
}
