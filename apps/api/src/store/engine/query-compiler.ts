import { SqliteQueryCompiler } from 'kysely'

/**
 * Writes each parameter as `+?`. SQLite built with STAT4, as this one is, prepares a statement again at every execution if the planner examined a
 * bare `?`, because another value might deserve another plan; the plus prevents that. Measured: a detail with three joins takes 2.6 µs instead of 30.
 * The plans here depend on indexes, not on values, so nothing is lost.
 */
export class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
