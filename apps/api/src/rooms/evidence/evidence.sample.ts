import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { addEvidence, addEvidenceSchema } from './evidence.ts'

/** Prospects whose name and contact details somebody confirmed; the sample rules give them the best priority. */
const CONFIRMED = 32

/** Adds recent confirmations of the name, the phone and the address of prospects that have all three and a domain. */
export async function sampleEvidence({ people, prospects, now, as }: SampleDesk): Promise<void> {
  const known = prospects.filter(({ email, phone, domain }) => email !== null && phone !== null && domain !== null)
  for (const [index, { id, name, email, phone }] of known.slice(0, CONFIRMED).entries()) {
    const author = people.operators[index % 2] ?? people.manager
    for (const [field, value] of Object.entries({ name, email, phone })) {
      const input = addEvidenceSchema.parse({
        field,
        value,
        sourceLabel: 'Call with reception',
        capturedAt: daysAfter(now, -3 - index),
        confidence: 'high',
      })
      await as(author, 'evidence.add', async (tx) => {
        const { id: evidenceId } = await addEvidence(tx, id, input)
        return { evidenceId }
      })
    }
  }
}
