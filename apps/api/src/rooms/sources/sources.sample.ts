import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { addRecordSchema } from './records/records.schema.ts'
import { addRecord } from './records/source-records.ts'
import { MANUAL_SOURCE_ID } from './sources.table.ts'

const RECORDED = 6

/** Adds references that a person recorded by hand. */
export async function sampleSources({ people, prospects, now, as }: SampleDesk): Promise<void> {
  const [, author] = people.operators
  for (const [index, { id, name }] of prospects.slice(0, RECORDED).entries()) {
    const input = addRecordSchema.parse({
      sourceId: MANUAL_SOURCE_ID,
      raw: `Stand ${12 + index}: ${name}`,
      attribution: 'Exhibitor list of the expo',
      capturedAt: daysAfter(now, -14),
      observations: [{ field: 'name', value: name, confidence: 'medium' }],
    })
    await as(author, 'source_record.add', (tx) => addRecord(tx, id, input))
  }
}
