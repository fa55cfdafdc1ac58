import { createHmac, randomInt } from 'node:crypto'
import type { Keys } from '../../../store/files/keys.ts'

const RECOVERY_CODES = 10
const GROUPS = 6
const GROUP_LENGTH = 4
/** Crockford's base32, which has no letters that look like digits. Twenty-four of its characters are 120 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Creates ten codes such as `7K3M-9QXA-…`, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  )
}

/** Returns the stored form of a code. For 120 bits a plain hash would suffice; this one also needs a key that is not in the database. */
export function recoveryCodeHash(keys: Keys, typed: string): string {
  return createHmac('sha256', keys.derive('recovery code')).update(canonical(typed)).digest('base64url')
}

/** Ignores blanks, dashes and case, and replaces letters that look like digits. */
function canonical(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}
