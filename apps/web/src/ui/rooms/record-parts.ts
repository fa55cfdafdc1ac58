/** What rooms add to the page of a record: tabs, actions, dialogs and notices. */
import type { Business, Permission } from '@prospect/api-client'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { RunnableAction } from '../actions/actions.ts'

/** A form on a tab of the record. It stays open with its start while the person looks at other tabs. `Start`: what it opens with. */
export type RecordForm<Start> = { id: string; tab: string; readonly start?: Start }

export type RecordPage = {
  /** What this person can do with the record now. */
  actions: readonly OfferedRecordAction[]
  openTab: (id: string) => void
  /** Opens a form on its tab and moves the focus into it. */
  openForm: <Start>(form: RecordForm<Start>, start: Start) => void
  openDialog: (id: string) => void
}

export type RecordTab = {
  /** Its name in the address: `?tab=notes`. */
  id: string
  label: string
  Content: ComponentType<{ business: Business }>
}

/** `tab`: the id of the tab. */
export type RecordTabPart = { tab: string; Content: ComponentType<{ business: Business }> }

export type OpenProps = { business: Business; close: () => void; reopen: () => void }

/** Replaces the tabs while `?tab=` names it. Opened once, it stays open when the record stops being workable. */
export type RecordMode = {
  id: string
  permission: Permission
  Content: ComponentType<OpenProps>
}

export type RecordDialog = { id: string; Content: ComponentType<OpenProps> }

export type ActingPerson = { userId: string; may: (permission: Permission) => boolean }

/** Something a person can do with a record. Its button or menu item, its command and its shortcut all come from here. */
export type RecordAction = {
  id: string
  /** In menus, in the palette and in the list of shortcuts. */
  label: string | ((business: Business) => string)
  /** On its button. */
  shortLabel?: string
  Icon: ComponentType<IconProps>
  keys?: string
  /** Absent: everybody who reads the record may do it. */
  permission?: Permission
  /** Whether this record takes it from this person. Absent: where the record is active. */
  isTaken?: (business: Business, person: ActingPerson) => boolean
  /** Where it is offered besides the palette. */
  at?: 'button' | 'menu'
  /** The most frequent action: its button stands first. */
  isPrimary?: boolean
  isDangerous?: boolean
  /** It asks for more in a dialog or on a form: its menu item ends in an ellipsis. */
  asksMore?: boolean
  /** Stands in the header instead of a button; `run` is that of the palette and the keys. */
  Control?: ComponentType<{ business: Business }>
  /** The mode that it opens: not offered while that is open. */
  opensMode?: string
  run: (page: RecordPage) => void
}

/** An action that this person can take on the open record. */
export type OfferedRecordAction = RunnableAction & Pick<RecordAction, 'at' | 'isPrimary' | 'Control'>

export type RecordParts = {
  tabs?: readonly RecordTab[]
  /** Shown below the content of a tab of another room. */
  tabParts?: readonly RecordTabPart[]
  modes?: readonly RecordMode[]
  actions?: readonly RecordAction[]
  dialogs?: readonly RecordDialog[]
  /** Between the bands and the tabs. */
  notices?: readonly ComponentType<{ business: Business }>[]
  /** Inside the band of a record that is do not contact. */
  blockNotices?: readonly ComponentType<{ business: Business }>[]
}
