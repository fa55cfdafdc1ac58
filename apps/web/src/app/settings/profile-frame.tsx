import { Outlet } from '@tanstack/react-router'
import { SubNav, type SubNavEntry } from '../../ui/sub-nav.tsx'

const entries: SubNavEntry[] = [
  { to: '/profile', label: 'Profile' },
  { to: '/profile/security', label: 'Security' },
]

export function ProfileFrame() {
  return (
    <>
      <SubNav label="Your account" entries={entries} />
      <Outlet />
    </>
  )
}
