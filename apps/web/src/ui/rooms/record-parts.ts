/** Types of the parts that rooms add to the page of a record: tabs, actions, dialogs and notices. */
import type { Business, Permission } from '@prospect/api-client'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { RunnableAction } from '../actions/actions.ts'

/** A form on a tab of the record. It stays open while other tabs are shown. `Start` is the type of its initial content. */
export type RecordForm<Start> = { id: string; tab: string; readonly start?: Start }

export type RecordPage = {
  /** Actions that the user can run on the record now. */
  actions: readonly OfferedRecordAction[]
  openTab: (id: string) => void
  /** Opens a form on its tab and moves the focus to it. */
  openForm: <Start>(form: RecordForm<Start>, start: Start) => void
  openDialog: (id: string) => void
}

export type RecordTab = {
  /** Value of `?tab=` in the address: `?tab=notes`. */
  id: string
  label: string
  /** Permission without which the tab is not shown; undefined if every reader of the record may read it. */
  permission?: Permission
  /** Position among the tabs of daily work. A tab without one is in the menu More. */
  position?: number
  Content: ComponentType<{ business: Business }>
}

/** Content below a tab, often of another room. `tab` is the id of that tab; `?tab=` with the `id` of the part opens it at the part. */
export type RecordTabPart = {
  tab: string
  id?: string
  /** True for content above that of the tab. */
  isAbove?: true
  permission?: Permission
  Content: ComponentType<{ business: Business }>
}

export type OpenProps = { business: Business; close: () => void; reopen: () => void }

/** Content that replaces the tabs while `?tab=` has its id. Once open, it stays open even if the record is merged or erased meanwhile. */
export type RecordMode = {
  id: string
  permission: Permission
  Content: ComponentType<OpenProps>
}

export type RecordDialog = { id: string; Content: ComponentType<OpenProps> }

export type ActingPerson = { userId: string; may: (permission: Permission) => boolean }

/** An action on a record. Its button or menu item, palette entry and shortcut all come from this object. */
export type RecordAction = {
  id: string
  /** Label in menus, in the palette and in the list of shortcuts. */
  label: string | ((business: Business) => string)
  /** Label of the button. */
  shortLabel?: string
  Icon: ComponentType<IconProps>
  keys?: string
  /** Permission that the action requires; undefined if every reader of the record may run it. */
  permission?: Permission
  /** Returns whether the record accepts the action from this user. Default: the record is active. */
  isTaken?: (business: Business, person: ActingPerson) => boolean
  /** Place where the action is offered in addition to the palette. */
  at?: 'button' | 'menu'
  /** True for the most frequent actions, whose buttons come first, in the order of the rooms. The first one also stays in a compact header. */
  isPrimary?: boolean
  isDangerous?: boolean
  /** True if it opens a dialog or form first; its menu item ends in an ellipsis. */
  asksMore?: boolean
  /** Control in the header that replaces the button. The palette and the shortcut call `run`. */
  Control?: ComponentType<{ business: Business; isFirst: boolean }>
  /** Id of the mode that the action opens. It is not offered while that mode is open. */
  opensMode?: string
  run: (page: RecordPage) => void
}

/** An action that the user can run on the open record. */
export type OfferedRecordAction = RunnableAction & Pick<RecordAction, 'at' | 'isPrimary' | 'Control'>

/** Id of the action that sets the follow-up. The header of a record offers it beside the date. */
export const FOLLOW_UP_ACTION = 'record.follow_up'

export type RecordParts = {
  tabs?: readonly RecordTab[]
  /** Content below tabs of other rooms. */
  tabParts?: readonly RecordTabPart[]
  modes?: readonly RecordMode[]
  actions?: readonly RecordAction[]
  dialogs?: readonly RecordDialog[]
  /** Notices between the header bands and the tabs. */
  notices?: readonly ComponentType<{ business: Business }>[]
  /** Notices inside the band of a do-not-contact record. */
  blockNotices?: readonly ComponentType<{ business: Business }>[]
}
