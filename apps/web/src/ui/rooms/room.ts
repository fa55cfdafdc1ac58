/** What a room declares about itself to the frame. `app/rooms.ts` lists the rooms. */
import type { Permission } from '@prospect/api-client'
import type { IconProps } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Action } from '../actions/actions.ts'
import type { SubNavEntry } from '../layout/sub-nav.tsx'
import type { RecordParts } from './record-parts.ts'

/** An entry of the sidebar and of the palette. */
export type Place = {
  id: string
  label: string
  group: 'desk' | 'machinery'
  /** `g` and then this key opens the place. */
  key: string
  /** One sentence; the palette finds the place by its words. */
  purpose: string
  /** Without this permission the place is not offered. */
  permission?: Permission
  to: NonNullable<LinkProps['to']>
  Icon: ComponentType<IconProps>
}

/** A page of the settings or of a person's own account. */
export type SubPage = SubNavEntry & {
  /** Its name where its neighbours are not beside it. */
  name?: string
  keys?: string
  /** More words for the palette. */
  keywords?: string
}

export type Room = {
  place?: Place
  settingsPages?: readonly SubPage[]
  profilePages?: readonly SubPage[]
  /** Offered on every screen: what the room creates, say. */
  actions?: readonly Action[]
  /** Imports the parts that the room adds to the page of a record. */
  recordParts?: () => Promise<{ recordParts: RecordParts }>
}
