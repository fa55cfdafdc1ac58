import { useCallback, useEffect, useState } from 'react'
import { useSession } from './session.ts'

type Stored<T> = { savedAt: string; value: T }

const prefix = 'prospect-draft:'

/** Where an unsaved text lies: never the same for two people, or for one person in two tenants. */
function draftKey(userId: string, tenantId: string, name: string): string {
  return `${prefix}${userId}:${tenantId}:${name}`
}

/** At sign-out: what is sensitive does not wait in the tab for whoever comes next. */
export function forgetSensitiveDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

/**
 * What a person typed and did not save yet. It survives a failed save, a reload and a lapsed session, until `clear`.
 * `restored` is the draft found on arrival, or null; `parse` decides whether what was stored still fits the form.
 * What `isSensitive` says is sensitive is kept by its tab alone and goes with it: whoever opens the browser next finds nothing.
 */
export function useDraft<T>(
  name: string,
  parse: (value: unknown) => T | null,
  isSensitive?: (value: T) => boolean,
): { restored: Stored<T> | null; keep: (value: T) => void; clear: () => void } {
  const session = useSession()
  const key = draftKey(session.user.id, session.tenant.id, name)
  const [restored, setRestored] = useState<Stored<T> | null>(() => readDraft(key, parse))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name is another draft; a new parse function is not
  useEffect(() => setRestored(readDraft(key, parse)), [key])

  const keep = useCallback(
    (value: T) => {
      const [to, other] =
        isSensitive?.(value) === true ? [sessionStorage, localStorage] : [localStorage, sessionStorage]
      try {
        other.removeItem(key)
        to.setItem(key, JSON.stringify({ savedAt: new Date().toISOString(), value }))
      } catch {
        // Storage full or forbidden: the text is still in the form, it only does not survive a reload.
      }
    },
    [key, isSensitive],
  )
  const clear = useCallback(() => {
    localStorage.removeItem(key)
    sessionStorage.removeItem(key)
    setRestored(null)
  }, [key])
  return { restored, keep, clear }
}

function readDraft<T>(key: string, parse: (value: unknown) => T | null): Stored<T> | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('value' in stored) || !('savedAt' in stored)) return null
    const value = parse(stored.value)
    return value === null ? null : { savedAt: String(stored.savedAt), value }
  } catch {
    return null
  }
}
