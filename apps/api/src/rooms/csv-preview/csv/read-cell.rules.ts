import { isGuarded, withoutGuard } from '../../../lib/formula-guard.ts'
import { isSharedHost, likelyKind, normalizeIdentifier } from '../../normalization/normalization.ts'

/** Maximum number of digits of a local phone number. Longer numbers, such as identity numbers, are none. */
const LOCAL_DIGITS = 12

/** Returns the cell without the `'` that an export puts before a value that a spreadsheet would execute, such as `'+27 82 123 4567`. */
function unguarded(cell: string): string {
  return isGuarded(cell) ? withoutGuard(cell) : cell
}

export function looksLikeEmail(cell: string): boolean {
  return likelyKind(cell) === 'email' && normalizeIdentifier('email', unguarded(cell)).normalized !== null
}

/** True for the host of a business. A page at a host that anybody can use is no web domain of its owner. */
export function looksLikeDomain(cell: string): boolean {
  return hostIn(cell) === 'own'
}

/** Returns whose host a cell names: that of a business, a host that anybody can use, or none. */
export function hostIn(cell: string): 'own' | 'shared' | null {
  if (!cell.includes('.') || likelyKind(cell) === 'email') return null
  const { normalized } = normalizeIdentifier('domain', cell)
  if (normalized === null) return null
  return isSharedHost(normalized) ? 'shared' : 'own'
}

/**
 * True for a number in international form, and for a local number that begins with a zero or a bracket. Without a country, other digits can mean
 * anything.
 */
export function looksLikePhone(cell: string): boolean {
  const text = unguarded(cell).trim()
  const { normalized, uncertainty } = normalizeIdentifier('phone', text)
  if (normalized !== null) return true
  return uncertainty === 'no_country_context' && /^[0(]/.test(text) && text.replace(/\D/g, '').length <= LOCAL_DIGITS
}

/** True for a cell that is no heading: an address, a phone number or an amount. */
export function looksLikeData(cell: string): boolean {
  return looksLikeEmail(cell) || looksLikePhone(cell) || /^-?\d[\d.,]*$/.test(cell.trim())
}
