import type { RunnableAction } from '../../ui/actions/actions.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * What was pressed, written as actions write their keys: 'j', '?', 'Enter', 'mod+k', 'shift+j'. Signs have no `shift+`: their key already
 * differs. null: a modifier by itself, or a combination of the browser.
 */
export function keyName(event: Pressed): string | null {
  if (['Shift', 'Control', 'Meta', 'Alt', 'Dead', 'Process'].includes(event.key) || event.altKey) return null
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (event.ctrlKey || event.metaKey) return `mod+${key}`
  return event.shiftKey && key !== event.key.toUpperCase() ? `${SHIFT}${key}` : key
}

const SHIFT = 'shift+'
export const withoutShift = (key: string): string => (key.startsWith(SHIFT) ? key.slice(SHIFT.length) : key)

/** Of letters and signs alone, one or one after the other: what a person may switch off. */
export function isOfSingleKeys(keys: string): boolean {
  return keys.split(' ').every((key) => withoutShift(key).length === 1)
}

export type Step = { run: RunnableAction | null; pending: string }

/**
 * One key after those still waiting: runs an action, waits for the rest of one, or starts over. The first action wins. Shift matters only
 * where an action names it: caps lock and a shift held too long change nothing.
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

/** 'g p' → ['G', 'P'], 'mod+k' → ['Ctrl K'] */
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
