/** Who this page belongs to; a call must never go on as somebody else or in another tenant. */
export type SessionMark = { userId: string; tenantId: string }

const key = 'prospect-session-owner'
const textOf = ({ userId, tenantId }: SessionMark) => `${userId}:${tenantId}`

/**
 * Leaves word for the other tabs whose session this browser has: they share the cookie, and would go on with it under the name that
 * they show. Only a hint, which is looked into: what holds is what the server answers.
 */
export function noteOwner(mark: SessionMark): void {
  try {
    localStorage.setItem(key, textOf(mark))
  } catch {
    // Storage forbidden: a change is still refused by its token, as it always is.
  }
}

/** Whether a tab has left word of another person, or another tenant, than this one's. */
export function isOwnerAnother(mark: SessionMark): boolean {
  try {
    const owner = localStorage.getItem(key)
    return owner !== null && owner !== textOf(mark)
  } catch {
    return false
  }
}

/**
 * Calls `look` when another tab has left word, and when this one is looked at or worked in again: it may have been asleep, and of two
 * windows side by side, both of which are seen, one may have signed in again as the same person, which changes no word.
 */
export function watchOwner(look: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key) look()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener('focus', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('focus', look)
    document.removeEventListener('visibilitychange', look)
  }
}
