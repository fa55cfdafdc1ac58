import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { serverNow } from '../api/server-clock.ts'
import { sessionKey } from '../api/session.ts'
import { draftKey, draftText, putDraft, putDraftBack, removeDraftIf } from './draft-storage.ts'
import { offerUndoDiscard, withdrawUndoDiscard } from './undo-discard.ts'
import type { Attempt, AttemptStore } from './use-idempotency-key.ts'

type StoredDraft<T> = { savedAt: string; value: T; attempt: Attempt | null }
/** State that this form has about its draft: the last attempt to save it, and the text it stored in each storage. */
type Own = { attempt: Attempt | null; isForTabOnly: boolean; inTab: string | null; inBrowser: string | null }

type Options<T> = {
  /** Returns true for sensitive values. They are stored in the tab only and end with it, so the next user of the browser cannot read them. */
  isSensitive?: (value: T) => boolean
  /** Called when another form saved or discarded the draft and this form still shows the same text. */
  gone?: () => void
  /** Called when Undo restores the draft while this form is open without text. */
  returned?: (value: T) => void
}

export type Draft<T> = {
  restored: Pick<StoredDraft<T>, 'savedAt' | 'value'> | null
  keep: (value: T) => void
  /** Stores the draft of a form that is submitted with its prefilled values. Does nothing if a draft exists. */
  keepSent: (value: T) => void
  clear: () => void
  /** Called by Cancel: deletes the draft and offers Undo. `reopen` opens the form again if its page is still open. */
  discard: (reopen: () => void) => void
  attempts: AttemptStore
}

/**
 * Draft of text that was typed but not saved. It survives a failed save, a reload and an expired session until `clear`. With the name `null`, nothing
 * is stored. `restored` is the draft found when the form opened, or null; `parse` returns null if the stored value does not fit the form. The draft
 * includes the last attempt to save it, so that a retry after a lost response or a closed form is not saved twice.
 *
 * Each tab stores its own text, so that two tabs with the same form do not overwrite each other. The latest text is also stored for the whole
 * browser, for the case that its tab is closed.
 */
export function useDraft<T>(
  name: string | null,
  parse: (value: unknown) => T | null,
  options: Options<T> = {},
): Draft<T> {
  const { isSensitive } = options
  const session = useQueryClient().getQueryData(sessionKey)
  if (name !== null && session === undefined) throw new Error('Drafts are stored only below the signed-in frame.')
  const key = name === null || session === undefined ? '' : draftKey(session.user.id, session.tenant.id, name)
  const [found, setFound] = useState(() => readDraft(key, parse, isSensitive))
  /** This form removes only text that it stored itself; text from another form or tab stays. */
  const own = useRef(found.own)
  const onGone = useEffectEvent(() => options.gone?.())
  const onReturned = useEffectEvent((value: T) => options.returned?.(value))

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new name means another draft, not new functions
  useEffect(() => {
    const next = readDraft(key, parse, isSensitive)
    own.current = next.own
    setFound(next)
    return watchDraft(key, {
      removed: (text) => {
        const ownText = storedText(own.current)
        if (ownText === null || valueIn(ownText) !== valueIn(text)) return
        // Another tab removes only the copy of the browser. Without this, the form would show the saved text again on its next opening.
        removeDraftIf(sessionStorage, key, own.current.inTab)
        own.current = noOwn
        setFound(noDraft)
        onGone()
      },
      returned: () => {
        if (storedText(own.current) !== null) return
        const back = readDraft(key, parse, isSensitive)
        own.current = back.own
        setFound(back)
        if (back.restored !== null) onReturned(back.restored.value)
      },
    })
  }, [key])

  const write = useCallback(
    (saved: StoredDraft<unknown>, isForTabOnly: boolean, isForBrowser = !isForTabOnly) => {
      if (key === '') return
      withdrawUndoDiscard(key)
      const text = draftText(saved, isForTabOnly)
      const { inTab, inBrowser } = own.current
      if (isForTabOnly) removeDraftIf(localStorage, key, inBrowser)
      own.current = {
        attempt: saved.attempt,
        isForTabOnly,
        inTab: putDraft(sessionStorage, key, text) ? text : inTab,
        inBrowser: isForTabOnly ? null : isForBrowser && putDraft(localStorage, key, text) ? text : inBrowser,
      }
    },
    [key],
  )
  const keep = useCallback(
    (value: T) => {
      const isForTabOnly = isSensitive?.(value) === true
      // An attempt contains the sent values. If the sensitivity changes, drop the attempt, so that sensitive values do not reach the shared storage.
      const attempt = own.current.isForTabOnly === isForTabOnly ? own.current.attempt : null
      write({ savedAt: serverNow().toISOString(), value, attempt }, isForTabOnly)
    },
    [isSensitive, write],
  )
  const keepSent = useCallback(
    (value: T) => {
      if (storedText(own.current) === null) keep(value)
    },
    [keep],
  )
  const clear = useCallback(() => {
    const { inTab, inBrowser } = own.current
    const text = storedText(own.current)
    own.current = noOwn
    setFound(noDraft)
    removeDraftIf(localStorage, key, inBrowser)
    removeDraftIf(sessionStorage, key, inTab)
    if (text !== null) for (const form of open.get(key) ?? []) form.removed(text)
  }, [key])
  const discard = useCallback(
    (reopen: () => void) => {
      const discarded = own.current
      clear()
      if (storedText(discarded) === null) return
      offerUndoDiscard(key, () => {
        putDraftBack(key, discarded)
        for (const form of open.get(key) ?? []) form.returned()
        reopen()
      })
    },
    [key, clear],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new parse function does not mean another draft
  const attempts = useMemo((): AttemptStore => {
    const keepAttempt = (attempt: Attempt | null) => {
      // Use the stored text: `parse` may change its form, and another tab would then not recognise the draft.
      const saved = parseStored(storedText(own.current))
      if (saved === null) own.current = { ...own.current, attempt }
      // Nothing was typed, so newer text of another tab stays in the browser's storage.
      else write({ ...saved, attempt }, own.current.isForTabOnly, own.current.inBrowser !== null)
    }
    return {
      // Another tab may have sent the same draft.
      last: () => own.current.attempt ?? readDraft(key, parse).own.attempt,
      keep: keepAttempt,
      forget: () => keepAttempt(null),
    }
  }, [key, write])
  return { restored: found.restored, keep, keepSent, clear, discard, attempts }
}

const noOwn: Own = { attempt: null, isForTabOnly: false, inTab: null, inBrowser: null }
const noDraft = { restored: null, own: noOwn }

const storedText = ({ inTab, inBrowser }: Own) => inTab ?? inBrowser

/** Value of a stored draft, by which two forms recognise the same draft. The save time and the attempt are ignored. */
const valueIn = (text: string): string => JSON.stringify(parseStored(text)?.value)

type OpenForm = { removed: (text: string) => void; returned: () => void }

/** Open forms by draft key. */
const open = new Map<string, Set<OpenForm>>()

/** Notifies a form when its draft is removed by another form or tab, and when Undo restores it. */
function watchDraft(key: string, form: OpenForm): () => void {
  const forms = open.get(key) ?? new Set()
  open.set(key, forms.add(form))
  const onStorage = (event: StorageEvent) => {
    if (event.key === key && event.newValue === null && event.oldValue !== null) form.removed(event.oldValue)
  }
  window.addEventListener('storage', onStorage)
  return () => {
    window.removeEventListener('storage', onStorage)
    forms.delete(form)
    if (forms.size === 0) open.delete(key)
  }
}

function readDraft<T>(key: string, parse: (value: unknown) => T | null, isSensitive?: (value: T) => boolean) {
  const [inTab, inBrowser] = [sessionStorage.getItem(key), localStorage.getItem(key)]
  const saved = parseDraft(inTab ?? inBrowser, parse)
  const own: Own = {
    attempt: saved?.attempt ?? null,
    isForTabOnly: saved !== null && isSensitive?.(saved.value) === true,
    inTab,
    // If the tab has a different text, the browser's copy belongs to another tab.
    inBrowser: inTab === null || inTab === inBrowser ? inBrowser : null,
  }
  return { restored: saved, own }
}

function parseDraft<T>(text: string | null, parse: (value: unknown) => T | null): StoredDraft<T> | null {
  const saved = parseStored(text)
  const value = saved === null ? null : parse(saved.value)
  return saved === null || value === null ? null : { ...saved, value }
}

function parseStored(text: string | null): StoredDraft<unknown> | null {
  try {
    const found: unknown = JSON.parse(text ?? 'null')
    if (typeof found !== 'object' || found === null || !('value' in found) || !('savedAt' in found)) return null
    const attempt = 'attempt' in found ? parseAttempt(found.attempt) : null
    return { savedAt: String(found.savedAt), value: found.value, attempt }
  } catch {
    return null
  }
}

function parseAttempt(found: unknown): Attempt | null {
  if (typeof found !== 'object' || found === null) return null
  const { payload, key, at, loaded } = found as Record<string, unknown>
  if (typeof payload !== 'string' || typeof key !== 'string' || typeof at !== 'string') return null
  return { payload, key, at, ...(typeof loaded === 'string' && { loaded }) }
}
