import { useCallback, useEffect, useState } from 'react'
import { useSession } from './session.ts'

type Stored<T> = { savedAt: string; value: T }

/** Where an unsaved text lies: never the same for two people, or for one person in two tenants. */
function draftKey(userId: string, tenantId: string, name: string): string {
  return `prospect-draft:${userId}:${tenantId}:${name}`
}

/**
 * What a person typed and did not save yet. It survives a failed save, a reload and a lapsed session, until `clear`.
 * `restored` is the draft found on arrival, or null; `parse` decides whether what was stored still fits the form.
 */
export function useDraft<T>(
  name: string,
  parse: (value: unknown) => T | null,
): { restored: Stored<T> | null; keep: (value: T) => void; clear: () => void } {
  const session = useSession()
  const key = draftKey(session.user.id, session.tenant.id, name)
  const [restored, setRestored] = useState<Stored<T> | null>(() => readDraft(key, parse))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name is another draft; a new parse function is not
  useEffect(() => setRestored(readDraft(key, parse)), [key])

  const keep = useCallback(
    (value: T) => {
      try {
        localStorage.setItem(key, JSON.stringify({ savedAt: new Date().toISOString(), value }))
      } catch {
        // Storage full or forbidden: the text is still in the form, it only does not survive a reload.
      }
    },
    [key],
  )
  const clear = useCallback(() => {
    localStorage.removeItem(key)
    setRestored(null)
  }, [key])
  return { restored, keep, clear }
}

function readDraft<T>(key: string, parse: (value: unknown) => T | null): Stored<T> | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('value' in stored) || !('savedAt' in stored)) return null
    const value = parse(stored.value)
    return value === null ? null : { savedAt: String(stored.savedAt), value }
  } catch {
    return null
  }
}
