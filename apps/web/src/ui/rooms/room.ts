/** Type of a room's declaration to the frame. `app/rooms.ts` lists the rooms. */
import type { Permission } from '@prospect/api-client'
import type { IconProps } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Action } from '../actions/actions.ts'
import type { SubNavEntry } from '../layout/sub-nav.tsx'
import type { RecordParts } from './record-parts.ts'

/** A main page of a room, with an entry in the sidebar and in the palette. */
export type Place = {
  id: string
  label: string
  group: 'desk' | 'machinery'
  /** `g` followed by this key opens the page. */
  key: string
  /** One sentence. The palette also searches it. */
  purpose: string
  /** Permission without which the page is not offered. */
  permission?: Permission
  to: NonNullable<LinkProps['to']>
  Icon: ComponentType<IconProps>
}

/** A page of the settings or of the user's profile. */
export type SubPage = SubNavEntry & {
  /** Name outside its navigation; the default is its label there. */
  name?: string
  keys?: string
  /** Additional search terms in the palette. */
  keywords?: string
}

export type Room = {
  place?: Place
  /** Tabs above the main pages of the room, named like its place. */
  tabs?: readonly SubNavEntry[]
  settingsPages?: readonly SubPage[]
  profilePages?: readonly SubPage[]
  /** Actions offered on every screen, such as creating a record. */
  actions?: readonly Action[]
  /** Loads the parts that the room adds to the page of a record. */
  recordParts?: () => Promise<{ recordParts: RecordParts }>
}
