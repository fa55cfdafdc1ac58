import { useEffect } from 'react'
import { currentCommands } from '../../ui/commands.ts'
import { useSingleKeys } from '../../ui/use-single-keys.ts'
import { isOfSingleKeys, keyName, step } from './key-sequence.ts'

const waitMs = 1000

/**
 * Runs the commands of whatever is on screen by their keys. Rests while a person types or something floats above;
 * `isCovered` when something is on its way there, so that what is typed into it ahead of time runs nothing below. Letters and signs by
 * themselves run nothing where the person has switched them off.
 */
export function useKeyboard(isCovered: boolean): void {
  const [hasSingleKeys] = useSingleKeys()
  useEffect(() => {
    if (isCovered) return
    let pending = ''
    let pressedAt = 0
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const key = keyName(event)
      if (key === null) return
      if (rests(event.target, key)) {
        pending = ''
        if (key === 'Escape') leaveField(event.target)
        return
      }
      if (!hasSingleKeys && isOfSingleKeys(key)) return
      const next = step(event.timeStamp - pressedAt > waitMs ? '' : pending, key, currentCommands())
      pending = next.pending
      pressedAt = event.timeStamp
      if (next.run === null) return
      event.preventDefault()
      // A menu that it opens closes at a key pressed outside of it, which this one was.
      event.stopImmediatePropagation()
      next.run.run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isCovered, hasSingleKeys])
}

const textFields = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select'
/** What floats closes by Esc itself, and so does the list of a field. */
const closesItself = '[role="dialog"], [role="menu"], [role="listbox"], [aria-haspopup]'

/** Esc leaves the field that is typed in, so that the keys work again; what was typed stays. */
function leaveField(target: EventTarget | null): void {
  if (target instanceof HTMLElement && target.matches(textFields) && target.closest(closesItself) === null)
    target.blur()
}

function rests(target: EventTarget | null, key: string): boolean {
  if (document.querySelector('[aria-modal="true"]') !== null) return true
  if (key.startsWith('mod+')) return false
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
    return true
  // What it has opened takes the focus a moment later: what is typed until then is meant for that.
  if (target.closest('[aria-haspopup][aria-expanded="true"]') !== null) return true
  // What a focused button or link does with Enter and Space stays its own.
  if ((key === 'Enter' || key === ' ') && target.closest('a, button, summary, [role="button"]') !== null) return true
  if (movesAChoice.has(key) && target.matches('input[type="radio"], [role="radio"]')) return true
  return target.matches(textFields)
}

const movesAChoice: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' '])
