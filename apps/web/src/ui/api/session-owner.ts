/** Owner of this page: user and tenant. A call must never continue as another user or in another tenant. */
export type SessionMark = { userId: string; tenantId: string }

const key = 'prospect-session-owner'
const textOf = ({ userId, tenantId }: SessionMark) => `${userId}:${tenantId}`

/**
 * Stores the owner of the browser's session for other tabs. They share the cookie and would otherwise send calls as a user they do not show. The
 * stored value is only a hint; the server's response decides.
 */
export function noteOwner(mark: SessionMark): void {
  try {
    localStorage.setItem(key, textOf(mark))
  } catch {
    // Storage is blocked. A change with a wrong owner is still rejected by its CSRF token.
  }
}

/** True if another tab stored a different user or tenant. */
export function isOwnerAnother(mark: SessionMark): boolean {
  try {
    const owner = localStorage.getItem(key)
    return owner !== null && owner !== textOf(mark)
  } catch {
    return false
  }
}

/**
 * Calls `look` when another tab stores an owner, and when this tab becomes visible or focused. The tab may have been asleep; or a second visible
 * window signed in again as the same user, which does not change the stored value.
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
