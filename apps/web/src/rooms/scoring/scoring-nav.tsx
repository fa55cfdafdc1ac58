import type { ReactNode } from 'react'
import { SubNav, type SubNavEntry } from '../../ui/layout/sub-nav.tsx'

const entries: readonly SubNavEntry[] = [
  { to: '/scoring', label: 'Rule sets', permission: 'scoring.read' },
  { to: '/scoring/runs', label: 'Recalculations', permission: 'scoring.read' },
]

/** Tabs of the Scoring pages. */
export function ScoringNav({ children }: { children: ReactNode }) {
  return (
    <SubNav label="Scoring" entries={entries}>
      {children}
    </SubNav>
  )
}
