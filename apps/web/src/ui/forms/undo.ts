/** What Ctrl-Z undoes outside of text fields. */
type Undo = { id: string; undo: () => void }

/** The newest last. */
let undoes: readonly Undo[] = []
const MAX_UNDOES = 50

/** Makes `undo` the next that Ctrl-Z runs. Replaces an earlier one with the same `id`. */
export function noteUndo(id: string, undo: () => void): void {
  undoes = [...undoes.filter((one) => one.id !== id), { id, undo }].slice(-MAX_UNDOES)
}

export function forgetUndo(id: string): void {
  undoes = undoes.filter((one) => one.id !== id)
}

/** Takes the newest undo, for its caller to run. */
export function takeUndo(): Undo | undefined {
  const latest = undoes.at(-1)
  undoes = undoes.slice(0, -1)
  return latest
}
