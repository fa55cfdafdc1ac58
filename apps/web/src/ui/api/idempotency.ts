/**
 * A fresh key for each request, for changes that a colleague can undo: block, suppress, move. A repeat is then done again instead of
 * returning the stored answer of the first request.
 *
 * Works without a secure context, where `crypto.randomUUID` is missing.
 */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
