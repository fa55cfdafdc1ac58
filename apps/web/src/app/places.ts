/** The places of the sidebar and the pages of settings and profile, collected from the rooms. */
import { IconCircleDashed } from '@tabler/icons-react'
import type { Place, SubPage } from '../ui/rooms/room.ts'
import { rooms } from './rooms.ts'

/** A place that is not built yet. The page "Planned" lists all of them, so the sidebar shows only working places. */
export type PlannedPlace = {
  /** Also its address, which redirects to its part of the page. */
  id: string
  label: string
  purpose: string
  /** The phase under which GET /capabilities tells its status. */
  phase: number
}

export const plannedPlaces: readonly PlannedPlace[] = [
  {
    id: 'drafts',
    label: 'Drafts',
    phase: 14,
    purpose: 'Texts that people prepare and approve. Nothing is sent from here.',
  },
]

const plannedPlace: Place = {
  id: 'planned',
  label: 'Planned',
  group: 'machinery',
  key: 'l',
  to: '/planned',
  purpose: `Not built yet: ${plannedPlaces.map(({ label }) => label).join(', ')}.`,
  Icon: IconCircleDashed,
}

export const places: readonly Place[] = [...rooms.flatMap(({ place }) => place ?? []), plannedPlace]

export const profilePages: readonly SubPage[] = rooms.flatMap((room) => room.profilePages ?? [])

export const settingsPages: readonly SubPage[] = [
  { to: '/settings', label: 'General', name: 'Settings', keys: 'g ,' },
  ...rooms.flatMap((room) => room.settingsPages ?? []),
]
