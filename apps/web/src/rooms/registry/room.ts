import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'

const rounds = { permission: 'registry.read', what: 'registry rounds' } as const

/** Routes of a tab of the do-not-contact list. */
export const registryRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/suppression/registry', () => import('./rounds-screen.tsx'), 'RoundsScreen', rounds),
    page(parent, '/suppression/registry/$roundId', () => import('./round-screen.tsx'), 'RoundScreen', rounds),
  ] as const
