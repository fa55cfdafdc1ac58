import type { NamedSource } from '../registry/purpose-state.ts'
import { planQuery } from './plan-query.ts'

/**
 * Returns the bodies that the adapter of a source would send for this query, in order, as the loaded adapter plans them. If the query cannot be
 * planned, returns the first reason. Pure: nothing is sent. Errors: `invalid_request` (the query).
 */
export function plannedContents(
  { adapter, loaded, contract }: NamedSource,
  query: unknown,
): { contents: string[] } | { reason: string } {
  if (loaded === undefined) return { reason: 'The adapter of the source is not loaded.' }
  const { planned, stops } = planQuery(adapter, { file: null, items: [loaded] }, contract, query)
  if (planned === undefined) return { reason: stops[0]?.reason ?? 'The adapter could not plan this query.' }
  return { contents: planned.plan.requests.flatMap(({ content }) => content ?? []) }
}
