/** An action that Ctrl+Z undoes outside of text fields. */
type Undo = { id: string; undo: () => void }

/** Undoable actions, newest last. */
let undoes: readonly Undo[] = []
const MAX_UNDOES = 50

/** Registers `undo` as the next action that Ctrl+Z undoes. Replaces an earlier one with the same `id`. */
export function noteUndo(id: string, undo: () => void): void {
  undoes = [...undoes.filter((one) => one.id !== id), { id, undo }].slice(-MAX_UNDOES)
}

export function forgetUndo(id: string): void {
  undoes = undoes.filter((one) => one.id !== id)
}

/** Removes and returns the newest undo; the caller runs it. */
export function takeUndo(): Undo | undefined {
  const latest = undoes.at(-1)
  undoes = undoes.slice(0, -1)
  return latest
}
