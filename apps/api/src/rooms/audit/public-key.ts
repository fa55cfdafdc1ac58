import { createPublicKey } from 'node:crypto'
import type { Keys } from '../../store/files/keys.ts'

/** Returns the public key of the audit in PEM. */
export function publicKeyPem({ keys }: { keys: Keys }): string {
  return createPublicKey(keys.auditSigning).export({ type: 'spki', format: 'pem' }).toString()
}
