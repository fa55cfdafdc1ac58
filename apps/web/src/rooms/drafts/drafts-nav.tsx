import type { ReactNode } from 'react'
import { SubNav, type SubNavEntry } from '../../ui/layout/sub-nav.tsx'

const entries: readonly SubNavEntry[] = [
  { to: '/drafts', label: 'Mine', permission: 'drafts.read' },
  { to: '/drafts/approvals', label: 'To approve', permission: 'drafts.read' },
  { to: '/drafts/needs-review', label: 'Needs review', permission: 'drafts.read' },
  { to: '/drafts/approved', label: 'Approved', permission: 'drafts.read' },
  { to: '/drafts/closed', label: 'Closed', permission: 'drafts.read' },
]

/** Tabs of the Drafts pages. */
export function DraftsNav({ children }: { children: ReactNode }) {
  return (
    <SubNav label="Drafts" entries={entries}>
      {children}
    </SubNav>
  )
}
