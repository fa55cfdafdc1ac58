import type { Tx } from '../../../store/change/change.ts'
import { askGate } from '../candidates/ask-gate.ts'

/** Returns true if a suppression entry matches one of these hosts. */
export async function isSiteSuppressed(tx: Tx, hosts: readonly string[]): Promise<boolean> {
  const values = hosts.map((value) => ({ kind: 'domain' as const, value }))
  return (await askGate(tx, tx.actor.tenantId, values)).length > 0
}
