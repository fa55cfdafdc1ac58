import type { RunnableAction } from '../../ui/actions/actions.ts'

/** What was pressed, written as actions write their keys: 'j', '?', 'Enter', 'mod+k'. null: a modifier by itself, or a combination that is the browser's. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | null {
  if (['Shift', 'Control', 'Meta', 'Alt', 'Dead', 'Process'].includes(event.key) || event.altKey) return null
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}

/** Of letters and signs alone, one or one after the other: what a person may switch off. */
export function isOfSingleKeys(keys: string): boolean {
  return keys.split(' ').every((key) => key.length === 1)
}

export type Step = { run: RunnableAction | null; pending: string }

/** One key after those still waiting: runs an action, waits for the rest of one, or starts over. The first action wins. */
export function step(pending: string, key: string, actions: readonly RunnableAction[]): Step {
  for (const typed of pending === '' ? [key] : [`${pending} ${key}`, key]) {
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
        cap === 'mod' ? (isMac ? '⌘' : 'Ctrl') : cap.length === 1 ? cap.toUpperCase() : (written[cap] ?? cap),
      )
      .join(' '),
  )
}
