import { type Answer, expectStatus, listAt, numberAt, textAt } from './acceptance-client.ts'

export type CapabilityReport = { phase: number; area: string; status: string; reason: string }

/** Returns the phases as the running service reports them, in its order. */
export async function capabilitiesOf(answer: Promise<Answer>): Promise<CapabilityReport[]> {
  const { body } = expectStatus(await answer, 200, 'the capabilities')
  return listAt(body, 'items').map((item) => ({
    phase: numberAt(item, 'phase'),
    area: textAt(item, 'area'),
    status: textAt(item, 'status'),
    reason: textAt(item, 'reason'),
  }))
}
