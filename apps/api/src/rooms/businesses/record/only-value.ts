import { type IdentifierKind, normalizeIdentifier, partsOfLine } from '../../normalization/normalization.ts'

/**
 * Returns the text of the only value of this kind in a typed text with other text beside it, such as the address in
 * `victim@kappertjie.co.za unsubscribed`. Null if there is none, or more than one.
 */
export function onlyValueIn(kind: IdentifierKind, typed: string, region: string | null): string | null {
  const parts = partsOfLine(typed, region)
  const found = new Map<string, string>()
  for (const part of parts) {
    if (part.kind !== kind) continue
    const { normalized } = normalizeIdentifier(kind, part.text, region)
    if (normalized !== null && !found.has(normalized)) found.set(normalized, part.text)
  }
  const [first] = found.values()
  return found.size === 1 && parts.length > 1 && first !== undefined ? first : null
}
