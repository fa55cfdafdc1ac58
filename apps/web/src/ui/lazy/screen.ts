import { lazyRouteComponent } from '@tanstack/react-router'
import { isProblem, LOAD_ANEW } from '../api/api-problem.ts'
import { noteFailure } from '../api/connection.ts'
import { importWithRetry } from './import-with-retry.ts'

/**
 * A screen of the route table, fetched when it is first opened. One that cannot be fetched says why in its place, and is tried again once the
 * service answers.
 */
export function screen<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      importWithRetry(load).catch((problem: unknown) => {
        if (!isProblem(problem, LOAD_ANEW)) noteFailure(problem)
        throw problem
      }),
    name,
  )
}
