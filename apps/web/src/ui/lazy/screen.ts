import { lazyRouteComponent } from '@tanstack/react-router'
import { isProblem, LOAD_ANEW } from '../api/api-problem.ts'
import { noteFailure } from '../api/connection.ts'
import { importWithRetry } from './import-with-retry.ts'

/**
 * A screen of the route table, loaded when it is first opened. If loading fails, the reason is shown in its place, and loading is repeated once the
 * service responds.
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
