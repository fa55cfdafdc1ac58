import type { ReactNode } from 'react'
import { SubNav, type SubNavEntry } from '../../ui/layout/sub-nav.tsx'

const entries: readonly SubNavEntry[] = [
  { to: '/websites', label: 'Scans', permission: 'scanning.read' },
  { to: '/websites/policy', label: 'Scan policy', permission: 'scanning.read' },
]

/** Tabs of the Websites pages. */
export function WebsitesNav({ children }: { children: ReactNode }) {
  return (
    <SubNav label="Websites" entries={entries}>
      {children}
    </SubNav>
  )
}
