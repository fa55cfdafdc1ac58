import { IconChartDots3 } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
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
  tabs: [
    { to: '/scoring', label: 'Rule sets', permission: 'scoring.read' },
    { to: '/scoring/runs', label: 'Recalculations', permission: 'scoring.read' },
  ],
  recordParts: () => import('./scoring.record.ts'),
}

const rules = { permission: 'scoring.read', what: 'scoring rules' } as const
const recalculations = { permission: 'scoring.read', what: 'recalculations' } as const

export const scoringRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/scoring', () => import('./rule-sets/rule-sets-screen.tsx'), 'RuleSetsScreen', rules),
    page(
      parent,
      '/scoring/rule-sets/$ruleSetId',
      () => import('./rule-sets/rule-set-screen.tsx'),
      'RuleSetScreen',
      rules,
    ),
    page(
      parent,
      '/scoring/rule-sets/$ruleSetId/versions/$version',
      () => import('./rule-sets/version-screen.tsx'),
      'VersionScreen',
      rules,
    ),
    page(
      parent,
      '/scoring/rule-sets/$ruleSetId/versions/$version/edit',
      () => import('./editor/editor-screen.tsx'),
      'EditorScreen',
      { permission: 'scoring.write', to: 'edit scoring rules' },
    ),
    page(parent, '/scoring/runs', () => import('./runs/runs-screen.tsx'), 'RunsScreen', recalculations),
    page(parent, '/scoring/runs/$runId', () => import('./runs/run-screen.tsx'), 'RunScreen', recalculations),
    page(parent, '/scoring/previews/$previewId', () => import('./previews/preview-screen.tsx'), 'PreviewScreen', {
      permission: 'scoring.read',
      what: 'scoring previews',
      parse: parseMoveSearch,
    }),
  ] as const
