import { useCallback, useEffect, useRef, useState } from 'react'
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
 *
 * Each tab keeps what was typed in it, so that two tabs with the same form never take each other's text; the last one is kept for the
 * browser too, for a tab that was closed. What `isSensitive` says is sensitive is kept by its tab alone and goes with it: whoever opens
 * the browser next finds nothing.
 */
export function useDraft<T>(
  name: string,
  parse: (value: unknown) => T | null,
  isSensitive?: (value: T) => boolean,
): { restored: Stored<T> | null; keep: (value: T) => void; clear: () => void } {
  const session = useSession()
  const key = draftKey(session.user.id, session.tenant.id, name)
  const [found, setFound] = useState(() => readDraft(key, parse))
  /** What the browser keeps of this tab: what another tab left there since is not this one's to remove. */
  const own = useRef(found?.text ?? null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name is another draft; a new parse function is not
  useEffect(() => {
    const next = readDraft(key, parse)
    own.current = next?.text ?? null
    setFound(next)
  }, [key])

  const takeBack = useCallback(() => {
    if (own.current !== null && localStorage.getItem(key) === own.current) localStorage.removeItem(key)
  }, [key])

  const keep = useCallback(
    (value: T) => {
      const text = JSON.stringify({ savedAt: new Date().toISOString(), value })
      try {
        sessionStorage.setItem(key, text)
        if (isSensitive?.(value) === true) takeBack()
        else localStorage.setItem(key, text)
        own.current = text
      } catch {
        // Storage full or forbidden: the text is still in the form, it only does not survive a reload.
      }
    },
    [key, isSensitive, takeBack],
  )
  const clear = useCallback(() => {
    takeBack()
    sessionStorage.removeItem(key)
    own.current = null
    setFound(null)
  }, [key, takeBack])
  return { restored: found?.stored ?? null, keep, clear }
}

function readDraft<T>(key: string, parse: (value: unknown) => T | null): { text: string; stored: Stored<T> } | null {
  try {
    const text = sessionStorage.getItem(key) ?? localStorage.getItem(key)
    const kept: unknown = JSON.parse(text ?? 'null')
    if (text === null || typeof kept !== 'object' || kept === null || !('value' in kept) || !('savedAt' in kept)) {
      return null
    }
    const value = parse(kept.value)
    return value === null ? null : { text, stored: { savedAt: String(kept.savedAt), value } }
  } catch {
    return null
  }
}
