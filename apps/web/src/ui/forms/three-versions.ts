/**
 * Comparison of three versions of a value: `base` at the start of an edit, `theirs` stored now, and `mine` typed. Forms, edits in place and the undo
 * of an edit decide by it which value to keep, so that nobody overwrites a change that they did not see.
 */
export type Versions<Value> = { base: Value; theirs: Value; mine: Value }

/** The side that changed the value. `agreed`: both made the same change. `conflict`: both changed it differently, and a person chooses. */
export type Outcome = 'mine' | 'theirs' | 'agreed' | 'conflict'

/** Returns null if neither side changed the value. */
export function outcomeOf<Value>(
  { base, theirs, mine }: Versions<Value>,
  isSame: (a: Value, b: Value) => boolean,
): Outcome | null {
  const [iChanged, theyChanged] = [!isSame(base, mine), !isSame(base, theirs)]
  if (!theyChanged) return iChanged ? 'mine' : null
  if (!iChanged) return 'theirs'
  return isSame(theirs, mine) ? 'agreed' : 'conflict'
}
