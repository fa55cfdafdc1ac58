/** Entries of the sidebar and pages of settings and profile, collected from the rooms. */
import type { Place, SubPage } from '../ui/rooms/room.ts'
import { rooms } from './rooms.ts'

export const places: readonly Place[] = rooms.flatMap(({ place }) => place ?? [])

export const profilePages: readonly SubPage[] = rooms.flatMap((room) => room.profilePages ?? [])

export const settingsPages: readonly SubPage[] = [
  { to: '/settings', label: 'General', name: 'Settings', keys: 'g ,' },
  ...rooms.flatMap((room) => room.settingsPages ?? []),
]
