/** Keys that act on the selected prospect of a list or a board; on an open record its own actions have them. */
import type { Permission } from '@prospect/api-client'

/** Opens a dialog of the record: its id in the parts of rooms. */
export type OpenQuickDialog = (businessId: string, dialog: string) => void

type QuickKey = { dialog: string; label: string; keys: string; permission: Permission }

export const quickKeys: readonly QuickKey[] = [
  { dialog: 'assign', label: 'Assign prospect', keys: 'a', permission: 'businesses.write' },
  { dialog: 'tags', label: 'Change the tags of the prospect', keys: 't', permission: 'businesses.write' },
  { dialog: 'move', label: 'Move prospect', keys: 'm', permission: 'pipeline.move' },
  { dialog: 'block', label: 'Mark the prospect as do not contact', keys: 'd', permission: 'businesses.block' },
  { dialog: 'follow-up', label: 'Set the follow-up of the prospect', keys: 'w', permission: 'interactions.write' },
  { dialog: 'note', label: 'Write a note on the prospect', keys: 'n', permission: 'notes.write' },
]
