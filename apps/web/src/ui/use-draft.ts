import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { serverNow } from './server-clock.ts'
import { useSession } from './session.ts'

/** One try at saving what was typed: whoever sends the same again, sends it under the same key and as of the same moment. */
export type Attempt = { payload: string; key: string; at: string }

type Stored<T> = { savedAt: string; value: T; attempt: Attempt | null }
/** What lies in the storage, and what of it is the value. */
type Kept = { text: string; value: string; attempt: Attempt | null }

type Options<T> = {
  /** What says so is kept by its tab alone and goes with it: whoever opens the browser next finds nothing. */
  isSensitive?: (value: T) => boolean
  /** It was saved (or thrown away) by the form that was left before this one opened, and nothing was changed here since. */
  gone?: () => void
}

export type Draft<T> = {
  restored: Stored<T> | null
  keep: (value: T) => void
  clear: () => void
  attempts: AttemptStore
}

/** Where the last attempt lies as long as its draft, which may outlive the form and the page. */
export type AttemptStore = { last: () => Attempt | null; keep: (attempt: Attempt) => void }

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
 * `restored` is the draft found on arrival, or null; `parse` decides whether what was stored still fits the form. With it lies the last
 * attempt to save it, so that what was saved after all (an answer that was lost, a form that was left meanwhile) is not saved twice.
 *
 * Each tab keeps what was typed in it, so that two tabs with the same form never take each other's text; the last one is kept for the
 * browser too, for a tab that was closed.
 */
export function useDraft<T>(name: string, parse: (value: unknown) => T | null, options: Options<T> = {}): Draft<T> {
  const { isSensitive } = options
  const session = useSession()
  const key = draftKey(session.user.id, session.tenant.id, name)
  const [found, setFound] = useState(() => readDraft(key, parse))
  /** What the browser keeps of this form: what another form or tab left there since is not this one's to remove. */
  const own = useRef<Kept | null>(found?.kept ?? null)
  const gone = useRef(options.gone)
  gone.current = options.gone

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name is another draft; a new parse function is not
  useEffect(() => {
    const next = readDraft(key, parse)
    own.current = next?.kept ?? null
    setFound(next)
    const forget = (text: string) => {
      if (own.current?.text !== text) return
      own.current = null
      setFound(null)
      gone.current?.()
    }
    return whenCleared(key, forget)
  }, [key])

  const write = useCallback(
    (kept: Kept, isForTabOnly: boolean) => {
      try {
        sessionStorage.setItem(key, kept.text)
        if (isForTabOnly) removeIf(localStorage, key, own.current?.text)
        else localStorage.setItem(key, kept.text)
        own.current = kept
      } catch {
        // Storage full or forbidden: the text is still in the form, it only does not survive a reload.
      }
    },
    [key],
  )
  const keep = useCallback(
    (value: T) => {
      if (own.current?.value === JSON.stringify(value)) return
      write(keptOf(value, serverNow().toISOString(), null), isSensitive?.(value) === true)
    },
    [isSensitive, write],
  )
  const clear = useCallback(() => {
    const text = own.current?.text
    own.current = null
    setFound(null)
    if (text === undefined) return
    removeIf(localStorage, key, text)
    removeIf(sessionStorage, key, text)
    for (const forget of waiting.get(key) ?? []) forget(text)
  }, [key])
  const keepAttempt = useCallback(
    (attempt: Attempt) => {
      const kept = own.current
      if (kept === null) return
      const { savedAt, value } = JSON.parse(kept.text) as Stored<T>
      write(keptOf(value, savedAt, attempt), localStorage.getItem(key) !== kept.text)
    },
    [key, write],
  )
  const attempts = useMemo(() => ({ last: () => own.current?.attempt ?? null, keep: keepAttempt }), [keepAttempt])
  return { restored: found?.stored ?? null, keep, clear, attempts }
}

/** The open forms of one draft. */
const waiting = new Map<string, Set<(text: string) => void>>()

function whenCleared(key: string, forget: (text: string) => void): () => void {
  const forms = waiting.get(key) ?? new Set()
  waiting.set(key, forms.add(forget))
  return () => {
    forms.delete(forget)
    if (forms.size === 0) waiting.delete(key)
  }
}

function removeIf(storage: Storage, key: string, text: string | undefined): void {
  if (text !== undefined && storage.getItem(key) === text) storage.removeItem(key)
}

function keptOf<T>(value: T, savedAt: string, attempt: Attempt | null): Kept {
  return { text: JSON.stringify({ savedAt, value, attempt }), value: JSON.stringify(value), attempt }
}

function readDraft<T>(key: string, parse: (value: unknown) => T | null): { kept: Kept; stored: Stored<T> } | null {
  try {
    const text = sessionStorage.getItem(key) ?? localStorage.getItem(key)
    const found: unknown = JSON.parse(text ?? 'null')
    if (text === null || typeof found !== 'object' || found === null || !('value' in found) || !('savedAt' in found)) {
      return null
    }
    const value = parse(found.value)
    if (value === null) return null
    const attempt = 'attempt' in found ? parseAttempt(found.attempt) : null
    return {
      kept: { text, value: JSON.stringify(found.value), attempt },
      stored: { savedAt: String(found.savedAt), value, attempt },
    }
  } catch {
    return null
  }
}

function parseAttempt(found: unknown): Attempt | null {
  if (typeof found !== 'object' || found === null) return null
  const { payload, key, at } = found as Record<string, unknown>
  return typeof payload === 'string' && typeof key === 'string' && typeof at === 'string' ? { payload, key, at } : null
}
