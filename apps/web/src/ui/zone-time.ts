/**
 * A wall clock time as a person typed it, in a zone, as an instant. With Intl only: Temporal is not in every browser yet.
 * `local` is 'YYYY-MM-DDTHH:mm', as the browser's control gives it. A time that a change of clocks skips moves with it.
 */
export function instantIn(local: string, zone: string): string {
  const guess = new Date(`${local}Z`).getTime()
  // Twice: the offset at the guess may be another than at the time itself, where the clocks change in between.
  const first = guess - offsetMs(guess, zone)
  return new Date(guess - offsetMs(first, zone)).toISOString()
}

/** How far the wall clock of a zone is ahead of UTC at an instant. */
function offsetMs(at: number, zone: string): number {
  const whole = Math.floor(at / 1000) * 1000
  const wall = new Date(whole).toLocaleString('sv-SE', { timeZone: zone })
  return new Date(`${wall.replace(' ', 'T')}Z`).getTime() - whole
}
