/**
 * Returns a new idempotency key. A new key per request is right for changes that a colleague can undo, such as a block, a suppression or a
 * transition. A repeated request then makes the change again instead of returning the stored response of the first one.
 *
 * It also works on an insecure origin, where `crypto.randomUUID` is missing.
 */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
