import { SqliteQueryCompiler } from 'kysely'

/**
 * Writes each parameter as `+?`. SQLite built with STAT4, as this one is, prepares a statement again at every execution if the planner
 * looked at a bare `?`, because the new value might deserve another plan; with a plus it cannot look. Measured: a detail with three joins
 * takes 2.6 µs instead of 30. The plans here depend on indexes, not on values, so nothing is lost.
 */
export class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
