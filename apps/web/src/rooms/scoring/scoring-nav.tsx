import { SubNav } from '../../ui/layout/sub-nav.tsx'

/** The tabs of the place Scoring. */
export function ScoringNav() {
  return (
    <SubNav
      label="Scoring"
      entries={[
        { to: '/scoring', label: 'Rule sets', permission: 'scoring.read' },
        { to: '/scoring/runs', label: 'Recalculations', permission: 'scoring.read' },
      ]}
    />
  )
}
