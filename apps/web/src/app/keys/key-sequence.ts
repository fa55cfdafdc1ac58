import type { RunnableAction } from '../../ui/actions/actions.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Name of a pressed key in the notation of actions: 'j', '?', 'Enter', 'mod+k', 'shift+j'. Signs have no `shift+`, because Shift already changes
 * their key. Null for a modifier alone or a combination with Alt.
 */
export function keyName(event: Pressed): string | null {
  if (['Shift', 'Control', 'Meta', 'Alt', 'Dead', 'Process'].includes(event.key) || event.altKey) return null
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (event.ctrlKey || event.metaKey) return `mod+${key}`
  return event.shiftKey && key !== event.key.toUpperCase() ? `${SHIFT}${key}` : key
}

const SHIFT = 'shift+'
export const withoutShift = (key: string): string => (key.startsWith(SHIFT) ? key.slice(SHIFT.length) : key)

/** True for shortcuts that consist of letters and signs only, alone or in sequence. The user can switch these off. */
export function isOfSingleKeys(keys: string): boolean {
  return keys.split(' ').every((key) => withoutShift(key).length === 1)
}

export type Step = { run: RunnableAction | null; pending: string }

/**
 * Handles one key after the pending ones: runs an action, waits for the rest of a sequence, or starts again. The first matching action wins. Shift
 * counts only if an action names it, so caps lock or a late release of Shift does not matter.
 */
export function step(pending: string, pressed: string, actions: readonly RunnableAction[]): Step {
  const key = withoutShift(pressed)
  const withShift = pressed === key ? [] : [pressed]
  const afterPending = pending === '' ? [] : [`${pending} ${key}`]
  for (const typed of [...withShift, ...afterPending, key]) {
    const run = actions.find((action) => action.keys === typed)
    if (run !== undefined) return { run, pending: '' }
    if (actions.some((action) => action.keys?.startsWith(`${typed} `))) return { run: null, pending: typed }
  }
  return { run: null, pending: '' }
}

const written: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
}

/** 'g p' becomes ['G', 'P'], and 'mod+k' becomes ['Ctrl K']. */
export function keyCaps(keys: string, isMac: boolean): string[] {
  return keys.split(' ').map((part) =>
    part
      .split('+')
      .map((cap) =>
        cap === 'mod'
          ? isMac
            ? '⌘'
            : 'Ctrl'
          : cap === 'shift'
            ? 'Shift'
            : cap.length === 1
              ? cap.toUpperCase()
              : (written[cap] ?? cap),
      )
      .join(' '),
  )
}
