import { Outlet } from '@tanstack/react-router'
import { SubNav } from '../../ui/layout/sub-nav.tsx'
import { settingsPages } from '../places.ts'

export function SettingsFrame() {
  return (
    <SubNav label="Settings" entries={settingsPages}>
      <Outlet />
    </SubNav>
  )
}
