import { createHmac, randomInt } from 'node:crypto'
import type { Keys } from '../../../store/files/keys.ts'

const RECOVERY_CODES = 10
const GROUPS = 6
const GROUP_LENGTH = 4
/** Crockford's base32, which has no letters that look like digits. A code of 24 characters has 120 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Creates ten recovery codes such as `7K3M-9QXA-…`. They are shown once and stored only as hashes. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  )
}

/**
 * Returns the hash under which a code is stored. A plain hash would suffice for 120 random bits; this hash also needs a key that is not in the
 * database.
 */
export function recoveryCodeHash(keys: Keys, typed: string): string {
  return createHmac('sha256', keys.derive('recovery code')).update(canonical(typed)).digest('base64url')
}

/** Returns a code without blanks and dashes, in upper case, with letters that look like digits replaced by the digits. */
function canonical(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}
