import { Outlet } from '@tanstack/react-router'
import { SubNav, type SubNavEntry } from '../../ui/sub-nav.tsx'

const entries: SubNavEntry[] = [
  { to: '/settings', label: 'General' },
  { to: '/settings/people', label: 'People', permission: 'users.manage' },
  { to: '/settings/roles', label: 'Roles' },
  { to: '/settings/security-events', label: 'Security events', permission: 'users.manage' },
  { to: '/settings/acceptance', label: 'Acceptance', permission: 'tenant.configure' },
]

export function SettingsFrame() {
  return (
    <>
      <SubNav label="Settings" entries={entries} />
      <Outlet />
    </>
  )
}
