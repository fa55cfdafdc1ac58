import type { Permission } from '@prospect/api-client'
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isProblem, LOAD_ANEW } from '../api/api-problem.ts'
import { noteFailure } from '../api/connection.ts'
import { useCan } from '../api/session.ts'
import { NoPermission } from '../layout/states.tsx'
import { importWithRetry } from '../lazy/import-with-retry.ts'

/** Permission for a screen. Without it the page says that the user cannot see `what`, or cannot do what `to` names. */
export type Guard = { permission: Permission } & ({ what: string } | { to: string })

/**
 * A screen of the route table, loaded when it is first opened. If loading fails, the reason is shown in its place, and loading is repeated once the
 * service responds. The file of a screen that needs a permission reads nothing without it.
 */
export function screen<Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
  guard: Guard | null = null,
): RouteComponent {
  const Screen = lazyRouteComponent(() =>
    importWithRetry(load).then(
      (module): { default: () => ReactNode } => ({ default: module[name] }),
      (problem: unknown) => {
        if (!isProblem(problem, LOAD_ANEW)) noteFailure(problem)
        throw problem
      },
    ),
  )
  if (guard === null) return Screen
  const { permission, ...denied } = guard
  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of a module, once for each screen
  function Guarded() {
    return useCan(permission) ? <Screen /> : <NoPermission isPage {...denied} />
  }
  const { preload } = Screen
  return preload === undefined ? Guarded : Object.assign(Guarded, { preload })
}
