import { useEffect } from 'react'
import { currentActions, perform } from '../../ui/actions/actions.ts'
import { doSingleKeysRest, noteKey } from '../../ui/actions/key-rest.ts'
import { useSingleKeys } from '../../ui/actions/use-single-keys.ts'
import { isOfSingleKeys, keyName, step, withoutShift } from './key-sequence.ts'

const waitMs = 1000

/**
 * Runs the actions of the current screen by their shortcuts. Shortcuts are off in text fields and below floating elements. `isCovered` is true while
 * a floating element is opening, so that keys typed ahead run nothing below. Shortcuts of a single character are off if the user has switched them
 * off, and for a moment after Enter has closed a dialog.
 */
export function useKeyboard(isCovered: boolean): void {
  const [hasSingleKeys] = useSingleKeys()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => noteKey(keyName(event) ?? '')
    const onPointer = (): void => noteKey('')
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('pointerdown', onPointer, true)
    return () => {
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('pointerdown', onPointer, true)
    }
  }, [])
  useEffect(() => {
    if (isCovered) return
    let pending = ''
    let pressedAt = 0
    let hadOpenList = false
    // Capture phase, before the field handles the key: in the listener below, Escape has already closed the list.
    const noteList = ({ target }: KeyboardEvent): void => {
      hadOpenList = target instanceof Element && target.closest('[aria-expanded="true"]') !== null
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const key = keyName(event)
      if (key === null) return
      if (rests(event.target, withoutShift(key))) {
        pending = ''
        if (key === 'Escape' && !hadOpenList) leaveField(event.target)
        return
      }
      if (isOfSingleKeys(key) && (!hasSingleKeys || doSingleKeysRest())) return
      const next = step(event.timeStamp - pressedAt > waitMs ? '' : pending, key, currentActions())
      pending = next.pending
      pressedAt = event.timeStamp
      if (next.run === null) return
      event.preventDefault()
      // The action may open a menu, which would treat this same key event as a key outside it and close.
      event.stopImmediatePropagation()
      perform(next.run)
    }
    document.addEventListener('keydown', noteList, true)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', noteList, true)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [isCovered, hasSingleKeys])
}

const textFields = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select'
/** Floating elements, which handle Escape themselves. */
const closesItself = '[role="dialog"], [role="menu"], [role="listbox"]'

/** Escape blurs the field so that shortcuts work again; its text stays. If a list is open, the first Escape closes only the list. */
function leaveField(target: EventTarget | null): void {
  if (target instanceof HTMLElement && target.matches(textFields) && target.closest(closesItself) === null)
    target.blur()
}

function rests(target: EventTarget | null, key: string): boolean {
  if (document.querySelector('[aria-modal="true"]') !== null) return true
  // In a text field, Ctrl+Z is the field's own undo.
  if (key.startsWith('mod+')) return key === 'mod+z' && target instanceof HTMLElement && target.matches(textFields)
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
    return true
  // The opened element gets the focus a moment later; keys typed until then are meant for it.
  if (target.closest('[aria-haspopup][aria-expanded="true"]') !== null) return true
  // Enter and Space on a focused button or link keep their native effect.
  if ((key === 'Enter' || key === ' ') && target.closest('a, button, summary, [role="button"]') !== null) return true
  if (movesAChoice.has(key) && target.matches('input[type="radio"], [role="radio"]')) return true
  return target.matches(textFields)
}

const movesAChoice: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' '])
