import type { ReactNode } from 'react'
import { SubNav, type SubNavEntry } from '../../ui/layout/sub-nav.tsx'

const entries: readonly SubNavEntry[] = [
  { to: '/contacts', label: 'Candidates', permission: 'contacts.read' },
  { to: '/contacts/extraction', label: 'Enable extraction', permission: 'contacts.read_counts' },
]

/** Tabs of the Contacts pages. */
export function ContactsNav({ children }: { children: ReactNode }) {
  return (
    <SubNav label="Contacts" entries={entries}>
      {children}
    </SubNav>
  )
}
