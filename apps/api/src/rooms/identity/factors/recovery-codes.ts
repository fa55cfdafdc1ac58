import { createHmac, randomInt } from 'node:crypto'
import type { Keys } from '../../../store/files/keys.ts'

const RECOVERY_CODES = 10
const GROUPS = 6
const GROUP_LENGTH = 4
/** Crockford's base32: no letter that looks like a digit. Twenty-four of them are 120 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten codes such as `7K3M-9QXA-…`, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  )
}

/** How a code is kept: a plain hash is enough for 120 bits, and this one wants a key that the database does not hold as well. */
export function recoveryCodeHash(keys: Keys, typed: string): string {
  return createHmac('sha256', keys.derive('recovery code')).update(canonical(typed)).digest('base64url')
}

/** Blanks, dashes and case do not matter; letters that were taken for digits are those digits. */
function canonical(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}
