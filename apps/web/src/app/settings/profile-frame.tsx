import { Outlet } from '@tanstack/react-router'
import { SubNav } from '../../ui/layout/sub-nav.tsx'
import { profilePages } from '../places.ts'

export function ProfileFrame() {
  return (
    <SubNav label="Your account" entries={profilePages}>
      <Outlet />
    </SubNav>
  )
}
