import type { Business } from '@prospect/api-client'
import { IconArchive, IconArchiveOff, IconLink, IconPencil, IconTags } from '@tabler/icons-react'
import { serverNow } from '../../ui/api/server-clock.ts'
import type { ActingPerson, RecordParts } from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { AssignDialog } from './record/assign-dialog.tsx'
import { copyRecordLink } from './record/copy-value.tsx'
import { DeactivateDialog, ReactivateDialog } from './record/deactivation-dialogs.tsx'
import { EditRecord } from './record/edit-record.tsx'
import { Overview } from './record/overview.tsx'
import { TagsDialog } from './record/tags-dialog.tsx'

const OWN_RECORD_MS = 24 * 3_600_000

/** True for managers, and for operators on records that they created in the last 24 hours. */
function mayEnd({ createdBy, createdAt }: Business, { userId, may }: ActingPerson): boolean {
  if (may('businesses.deactivate_any')) return true
  const isOwn = createdBy.kind === 'user' && createdBy.id === userId
  return isOwn && serverNow().getTime() - Date.parse(createdAt) <= OWN_RECORD_MS
}

export const recordParts: RecordParts = {
  tabs: [{ id: 'overview', label: 'Overview', position: 1, Content: Overview }],
  modes: [{ id: 'edit', permission: 'businesses.write', Content: EditRecord }],
  dialogs: [
    { id: 'assign', Content: AssignDialog },
    { id: 'tags', Content: TagsDialog },
    { id: 'deactivate', Content: DeactivateDialog },
    { id: 'reactivate', Content: ReactivateDialog },
  ],
  actions: [
    {
      id: 'record.edit',
      label: ({ name }) => `Edit ${nameText(name)}`,
      shortLabel: 'Edit',
      Icon: IconPencil,
      keys: 'e',
      permission: 'businesses.write',
      at: 'button',
      opensMode: 'edit',
      run: (page) => page.openTab('edit'),
    },
    {
      id: 'record.tags',
      label: 'Change the tags',
      Icon: IconTags,
      keys: 't',
      permission: 'businesses.write',
      asksMore: true,
      run: (page) => page.openDialog('tags'),
    },
    {
      id: 'record.link',
      label: 'Copy the link',
      Icon: IconLink,
      isTaken: () => true,
      at: 'menu',
      run: () => void copyRecordLink(),
    },
    {
      id: 'record.deactivate',
      label: 'Deactivate',
      Icon: IconArchive,
      permission: 'businesses.deactivate',
      isTaken: (business, person) => business.status === 'active' && mayEnd(business, person),
      at: 'menu',
      isDangerous: true,
      asksMore: true,
      run: (page) => page.openDialog('deactivate'),
    },
    {
      id: 'record.reactivate',
      label: 'Reactivate',
      Icon: IconArchiveOff,
      permission: 'businesses.deactivate',
      isTaken: (business, person) => business.deactivatedAt !== null && mayEnd(business, person),
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('reactivate'),
    },
  ],
}
