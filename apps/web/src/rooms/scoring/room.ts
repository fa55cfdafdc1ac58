import { IconChartDots3 } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
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
  tabs: [
    { to: '/scoring', label: 'Rule sets', permission: 'scoring.read' },
    { to: '/scoring/runs', label: 'Recalculations', permission: 'scoring.read' },
  ],
  recordParts: () => import('./scoring.record.ts'),
}

export const scoringRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring',
      component: screen(() => import('./rule-sets/rule-sets-screen.tsx'), 'RuleSetsScreen', {
        permission: 'scoring.read',
        what: 'scoring rules',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/rule-sets/$ruleSetId',
      component: screen(() => import('./rule-sets/rule-set-screen.tsx'), 'RuleSetScreen', {
        permission: 'scoring.read',
        what: 'scoring rules',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/rule-sets/$ruleSetId/versions/$version',
      component: screen(() => import('./rule-sets/version-screen.tsx'), 'VersionScreen', {
        permission: 'scoring.read',
        what: 'scoring rules',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/rule-sets/$ruleSetId/versions/$version/edit',
      component: screen(() => import('./editor/editor-screen.tsx'), 'EditorScreen', {
        permission: 'scoring.write',
        to: 'edit scoring rules',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/runs',
      component: screen(() => import('./runs/runs-screen.tsx'), 'RunsScreen', {
        permission: 'scoring.read',
        what: 'recalculations',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/runs/$runId',
      component: screen(() => import('./runs/run-screen.tsx'), 'RunScreen', {
        permission: 'scoring.read',
        what: 'recalculations',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/scoring/previews/$previewId',
      validateSearch: parseMoveSearch,
      component: screen(() => import('./previews/preview-screen.tsx'), 'PreviewScreen', {
        permission: 'scoring.read',
        what: 'scoring previews',
      }),
    }),
  ] as const
