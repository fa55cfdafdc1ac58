/**
 * Rest of the single-key shortcuts after a dialog was closed by Enter. People type on, for example a reason that the dialog did not ask for, and each
 * letter would be a shortcut of the page below. Ctrl+Enter ends a form on purpose, often in a series with the next key at once, so it causes no rest.
 */
const REST_MS = 300

let lastKey = ''
let restsUntil = 0

/** Called for each key with its name as in actions, and with '' for the pointer. */
export function noteKey(key: string): void {
  lastKey = key
}

/** Called when a dialog has closed. */
export function noteDialogClosed(): void {
  restsUntil = lastKey === 'Enter' ? performance.now() + REST_MS : 0
}

export const doSingleKeysRest = (): boolean => performance.now() < restsUntil
