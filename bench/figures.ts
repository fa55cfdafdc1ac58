/** Error of a benchmark that has nothing to measure, or whose baseline is not quiet. It ends the process with exit code 1. */
export class BenchmarkError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BenchmarkError'
    // The sentence is for the person who started the benchmark. The position in the code does not help them.
    this.stack = `${this.name}: ${message}`
  }
}

/** Returns a count of measured things. Errors if there is none, because a time for nothing meets every aim. */
export function some(count: number, what: string): number {
  if (!(Number.isFinite(count) && count > 0)) throw new BenchmarkError(`There is nothing to measure: ${count} ${what}.`)
  return count
}

/** Parses an option that must be a whole number above 0. */
export function countOption<Name extends string>(values: Readonly<Record<Name, string>>, name: Name): number {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < 1)
    throw new BenchmarkError(`--${name} must be a whole number above 0, not ${values[name]}.`)
  return value
}

/**
 * Smallest plausible ratio of a value under load to the value at rest. Load makes no request faster, so a lower ratio than the noise of a quiet
 * machine explains means that other work ran while the value at rest was measured.
 */
const LEAST_RATIO = 0.8

/** Returns a time under load divided by the same time at rest. Errors if there was no time, and if the baseline cannot have been at rest. */
export function ratioToRest(what: string, { underLoad, atRest }: { underLoad: number; atRest: number }): number {
  some(underLoad, `ms of ${what} under load`)
  some(atRest, `ms of ${what} at rest`)
  const ratio = underLoad / atRest
  if (ratio < LEAST_RATIO)
    throw new BenchmarkError(
      `The baseline was not quiet: ${what} took ${atRest.toFixed(2)} ms at rest and only ${underLoad.toFixed(2)} ms under load.`,
    )
  return ratio
}
