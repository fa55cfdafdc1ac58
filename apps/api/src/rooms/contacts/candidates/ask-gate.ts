import type { Kysely } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import type { Database } from '../../../store/database.ts'
import type { Keys } from '../../../store/files/keys.ts'
import { type ContactValue, type GateMatch, gate } from '../../contact-gate/contact-gate.ts'

const GATE_UNAVAILABLE = 'gate_unavailable'

/** The gate for this room: its failure stops the caller with `unavailable`. */
export async function askGate(
  asker: { db: Kysely<Database>; keys: Keys },
  tenantId: string,
  values: readonly ContactValue[],
): Promise<GateMatch[]> {
  try {
    return await gate(asker, tenantId, values)
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'The do-not-contact list cannot be checked now, so nothing was done. Try again later.',
      {
        reason: GATE_UNAVAILABLE,
        cause,
      },
    )
  }
}

export function isGateFailure(error: unknown): boolean {
  return error instanceof AppError && error.details.reason === GATE_UNAVAILABLE
}
