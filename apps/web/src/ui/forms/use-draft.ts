import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { serverNow } from '../api/server-clock.ts'
import { sessionKey } from '../api/session.ts'
import { draftKey, draftText, putDraft, putDraftBack, removeDraftIf } from './draft-storage.ts'
import { offerUndoDiscard, withdrawUndoDiscard } from './undo-discard.ts'
import type { Attempt, AttemptStore } from './use-idempotency-key.ts'

type Kept<T> = { savedAt: string; value: T; attempt: Attempt | null }
/** What this form knows of its draft: the last attempt to save it, and the text that lies in each storage on its behalf. */
type Own = { attempt: Attempt | null; isForTabOnly: boolean; inTab: string | null; inBrowser: string | null }

type Options<T> = {
  /** What says so is kept by its tab alone and goes with it: whoever opens the browser next finds nothing. */
  isSensitive?: (value: T) => boolean
  /** It was saved (or thrown away) by the form that was left before this one opened, and nothing was changed here since. */
  gone?: () => void
  /** The discarded draft was restored while this form is open with nothing typed. */
  returned?: (value: T) => void
}

export type Draft<T> = {
  restored: Pick<Kept<T>, 'savedAt' | 'value'> | null
  keep: (value: T) => void
  /** The same where nothing is kept yet: of a form that is sent as it was filled in for the person. */
  keepSent: (value: T) => void
  clear: () => void
  /** For Cancel: clears the draft and offers to restore it. `reopen` opens the form again, if its page is still there. */
  discard: (reopen: () => void) => void
  attempts: AttemptStore
}

/**
 * What a person typed and did not save yet. It survives a failed save, a reload and a lapsed session, until `clear`.
 * With the name `null`, nothing is stored. `restored` is the draft found on arrival, or null; `parse` decides whether what was stored still fits the form. With it lies the last
 * attempt to save it, so that what was saved after all (an answer that was lost, a form that was left meanwhile) is not saved twice.
 *
 * Each tab keeps what was typed in it, so that two tabs with the same form never take each other's text; the last one is kept for the
 * browser too, for a tab that was closed.
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
  /** What another form or tab left there since is not this one's to remove. */
  const own = useRef(found.own)
  const latest = useRef(options)
  latest.current = options

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name is another draft; new functions are not
  useEffect(() => {
    const next = readDraft(key, parse, isSensitive)
    own.current = next.own
    setFound(next)
    return watchDraft(key, {
      removed: (text) => {
        const held = lying(own.current)
        if (held === null || valueIn(held) !== valueIn(text)) return
        own.current = nothing
        setFound(none)
        latest.current.gone?.()
      },
      returned: () => {
        if (lying(own.current) !== null) return
        const back = readDraft(key, parse, isSensitive)
        own.current = back.own
        setFound(back)
        if (back.restored !== null) latest.current.returned?.(back.restored.value)
      },
    })
  }, [key])

  const write = useCallback(
    (kept: Kept<unknown>, isForTabOnly: boolean, isForBrowser = !isForTabOnly) => {
      if (key === '') return
      withdrawUndoDiscard(key)
      const text = draftText(kept, isForTabOnly)
      const { inTab, inBrowser } = own.current
      if (isForTabOnly) removeDraftIf(localStorage, key, inBrowser)
      own.current = {
        attempt: kept.attempt,
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
      // An attempt holds what it sent: one that was sensitive does not come along to where others look.
      const attempt = own.current.isForTabOnly === isForTabOnly ? own.current.attempt : null
      write({ savedAt: serverNow().toISOString(), value, attempt }, isForTabOnly)
    },
    [isSensitive, write],
  )
  const keepSent = useCallback(
    (value: T) => {
      if (lying(own.current) === null) keep(value)
    },
    [keep],
  )
  const clear = useCallback(() => {
    const { inTab, inBrowser } = own.current
    const text = lying(own.current)
    own.current = nothing
    setFound(none)
    removeDraftIf(localStorage, key, inBrowser)
    removeDraftIf(sessionStorage, key, inTab)
    if (text !== null) for (const form of open.get(key) ?? []) form.removed(text)
  }, [key])
  const discard = useCallback(
    (reopen: () => void) => {
      const discarded = own.current
      clear()
      if (lying(discarded) === null) return
      offerUndoDiscard(key, () => {
        putDraftBack(key, discarded)
        for (const form of open.get(key) ?? []) form.returned()
        reopen()
      })
    },
    [key, clear],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new parse function is no other draft
  const attempts = useMemo((): AttemptStore => {
    const keepAttempt = (attempt: Attempt | null) => {
      // As it lies there: what `parse` makes of it may look different, and another tab would not know it again.
      const kept = keptIn(lying(own.current))
      if (kept === null) own.current = { ...own.current, attempt }
      // What another tab left for the browser since stays there: nothing was typed.
      else write({ ...kept, attempt }, own.current.isForTabOnly, own.current.inBrowser !== null)
    }
    return {
      // Another tab may have sent the same from the same draft.
      last: () => own.current.attempt ?? readDraft(key, parse).own.attempt,
      keep: keepAttempt,
      forget: () => keepAttempt(null),
    }
  }, [key, write])
  return { restored: found.restored, keep, keepSent, clear, discard, attempts }
}

const nothing: Own = { attempt: null, isForTabOnly: false, inTab: null, inBrowser: null }
const none = { restored: null, own: nothing }

const lying = ({ inTab, inBrowser }: Own) => inTab ?? inBrowser

/** By it two forms know that they hold the same draft: when it was kept, and that it was sent, is no difference. */
const valueIn = (text: string): string => JSON.stringify(keptIn(text)?.value)

type OpenForm = { removed: (text: string) => void; returned: () => void }

/** The open forms of each draft. */
const open = new Map<string, Set<OpenForm>>()

/** Notifies a form when its draft is removed, by another form of this page or by another tab, and when it is restored by Undo. */
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
  const kept = parseKept(inTab ?? inBrowser, parse)
  const own: Own = {
    attempt: kept?.attempt ?? null,
    isForTabOnly: kept !== null && isSensitive?.(kept.value) === true,
    inTab,
    // Beside another text in this tab it is another tab's.
    inBrowser: inTab === null || inTab === inBrowser ? inBrowser : null,
  }
  return { restored: kept, own }
}

function parseKept<T>(text: string | null, parse: (value: unknown) => T | null): Kept<T> | null {
  const kept = keptIn(text)
  const value = kept === null ? null : parse(kept.value)
  return kept === null || value === null ? null : { ...kept, value }
}

function keptIn(text: string | null): Kept<unknown> | null {
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
  const { payload, key, at } = found as Record<string, unknown>
  return typeof payload === 'string' && typeof key === 'string' && typeof at === 'string' ? { payload, key, at } : null
}
