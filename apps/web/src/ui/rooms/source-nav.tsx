import type { ReactNode } from 'react'
import { SubNav, type SubNavEntry } from '../layout/sub-nav.tsx'

const entries: readonly SubNavEntry[] = [
  { to: '/sources', label: 'Registry', permission: 'sources.read' },
  { to: '/sources/csv-preview', label: 'CSV preview', permission: 'sources.preview' },
  { to: '/sources/incidents', label: 'Incidents', permission: 'sources.read' },
]

/** Tabs of the Sources pages. */
export function SourceNav({ children }: { children: ReactNode }) {
  return (
    <SubNav label="Sources" entries={entries}>
      {children}
    </SubNav>
  )
}
