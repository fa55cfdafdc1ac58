import type { ReactNode } from 'react'
import { SubNav, type SubNavEntry } from '../../ui/layout/sub-nav.tsx'

const entries: readonly SubNavEntry[] = [
  { to: '/review', label: 'Queue', permission: 'review.read' },
  { to: '/review/bulks', label: 'Bulk actions', permission: 'review.read' },
  { to: '/review/filters', label: 'Saved filters' },
]

/** Tabs of the Review pages. */
export function ReviewNav({ children }: { children: ReactNode }) {
  return (
    <SubNav label="Review" entries={entries}>
      {children}
    </SubNav>
  )
}
