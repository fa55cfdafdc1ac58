import { randomUUID } from 'node:crypto'
import { expectStatus, textAt } from './acceptance-client.ts'
import type { World } from './gates.ts'

/** Creates a prospect of the operator for one check. */
export async function newProspect({ operator }: World, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await operator.post('/businesses', { name: `Acceptance ${randomUUID()}`, ...more })
  return textAt(expectStatus(answer, 201, 'creating a prospect').body, 'id')
}
