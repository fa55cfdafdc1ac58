import { Outlet, useMatches } from '@tanstack/react-router'
import { SubNav } from '../../ui/layout/sub-nav.tsx'
import { rooms } from '../rooms.ts'

/** The current page, below the tabs of its room if it is one of them. The tabs stay while the page changes, so a pressed tab keeps the focus. */
export function TabbedPage() {
  const paths = useMatches({ select: (matches) => matches.map(({ fullPath }): string => fullPath) })
  const room = rooms.find(({ tabs = [] }) => tabs.some(({ to }) => paths.includes(to)))
  if (room?.place === undefined || room.tabs === undefined) return <Outlet />
  return (
    <SubNav label={room.place.label} entries={room.tabs}>
      <Outlet />
    </SubNav>
  )
}
