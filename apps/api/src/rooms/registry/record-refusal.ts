import type { Tx } from '../../store/change/change.ts'

export function recordRefusal(tx: Tx, roundId: string, refusal: string): Promise<string> {
  const subject = { type: 'registry_round', id: roundId } as const
  return tx.record({ action: 'registry_round.read', subject, after: { refusal } })
}
