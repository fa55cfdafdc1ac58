import { IconChartDots3 } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { screen } from '../../ui/lazy/screen.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseMoveSearch } from './previews/move-search.ts'

export const scoringRoom: Room = {
  place: {
    id: 'scoring',
    label: 'Scoring',
    group: 'machinery',
    key: 'c',
    to: '/scoring',
    permission: 'scoring.read',
    purpose: 'Versioned rules that rank prospects, with their approvals and recalculations.',
    Icon: IconChartDots3,
  },
  recordParts: () => import('./scoring.record.ts'),
}

export const scoringRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring',
      component: screen(() => import('./rule-sets/rule-sets-screen.tsx'), 'RuleSetsScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/rule-sets/$ruleSetId',
      component: screen(() => import('./rule-sets/rule-set-screen.tsx'), 'RuleSetScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/rule-sets/$ruleSetId/versions/$version',
      component: screen(() => import('./rule-sets/version-screen.tsx'), 'VersionScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/rule-sets/$ruleSetId/versions/$version/edit',
      component: screen(() => import('./editor/editor-screen.tsx'), 'EditorScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/runs',
      component: screen(() => import('./runs/runs-screen.tsx'), 'RunsScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/runs/$runId',
      component: screen(() => import('./runs/run-screen.tsx'), 'RunScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/previews/$previewId',
      validateSearch: parseMoveSearch,
      component: screen(() => import('./previews/preview-screen.tsx'), 'PreviewScreen'),
    }),
  ] as const
