import { crc32 } from 'node:zlib'

/*
 * The form of a secret: `pp_`, the id of the token, 256 random bits and a checksum, in base 62 so that a double click selects all of it. Secret scanners
 * find it by the prefix (`pp_[0-9A-Za-z]{71}`) and tell it from other text by the checksum, without a request.
 */

export const SECRET_PREFIX = 'pp_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)
/** Digits that 128 bits, 256 bits and 32 bits need. */
const ID_DIGITS = 22
const RANDOM_DIGITS = 43
const CHECK_DIGITS = 6
const FORM = new RegExp(`^${SECRET_PREFIX}[0-9A-Za-z]{${ID_DIGITS + RANDOM_DIGITS + CHECK_DIGITS}}$`)
const ID_HEX_DIGITS = 32

/** Returns the secret of the token with this id. `random`: 32 random bytes. */
export function secretOf(id: string, random: Uint8Array): string {
  const idPart = inBase62(BigInt(`0x${id.replaceAll('-', '')}`), ID_DIGITS)
  const randomPart = inBase62(BigInt(`0x${Buffer.from(random).toString('hex')}`), RANDOM_DIGITS)
  const text = SECRET_PREFIX + idPart + randomPart
  return text + checksumOf(text)
}

/** Returns the id that a secret contains; undefined if the text has not the form of a secret, or its checksum does not match. */
export function tokenIdIn(secret: string): string | undefined {
  if (!FORM.test(secret)) return undefined
  const text = secret.slice(0, -CHECK_DIGITS)
  if (checksumOf(text) !== secret.slice(-CHECK_DIGITS)) return undefined
  const digits = text.slice(SECRET_PREFIX.length, SECRET_PREFIX.length + ID_DIGITS)
  const hex = fromBase62(digits).toString(16).padStart(ID_HEX_DIGITS, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function checksumOf(text: string): string {
  return inBase62(BigInt(crc32(text)), CHECK_DIGITS)
}

function inBase62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= BASE) text = DIGITS.charAt(Number(rest % BASE)) + text
  return text
}

function fromBase62(digits: string): bigint {
  let value = 0n
  for (const digit of digits) value = value * BASE + BigInt(DIGITS.indexOf(digit))
  return value
}
