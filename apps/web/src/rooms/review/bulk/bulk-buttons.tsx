import type { FilterInput, Permission } from '@prospect/api-client'
import { IconCircleCheck, IconCircleX, IconTag, IconTagOff, IconUserCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { LazyDialogSlot } from '../../../ui/dialogs/lazy-dialog-slot.tsx'
import type { ListSelection } from '../../../ui/lists/list-types.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { BulkDialog, type BulkSelection } from './bulk-dialog.tsx'
import { actionWords, type BulkAction, prospectCount } from './bulk-words.ts'

/** Limits of the API. */
const limits = { ids: 2_000, excluded: 1_000 } as const

const actions: readonly { action: BulkAction; Icon: typeof IconTag; permission: Permission }[] = [
  { action: 'verify', Icon: IconCircleCheck, permission: 'review.bulk' },
  { action: 'reject', Icon: IconCircleX, permission: 'review.bulk' },
  { action: 'assign', Icon: IconUserCheck, permission: 'businesses.write' },
  { action: 'add_tag', Icon: IconTag, permission: 'businesses.write' },
  { action: 'remove_tag', Icon: IconTagOff, permission: 'businesses.write' },
]

/** Actions on selected prospects. Each opens a preview; nothing changes before it is confirmed. */
export function BulkButtons({ selection, conditions }: { selection: ListSelection; conditions: FilterInput }) {
  const [chosen, setChosen] = useState<BulkAction | null>(null)
  const refusal = tooMany(selection)
  const offered = actions.map(
    ({ action, Icon, permission }): Action => ({
      id: `bulk.${action}`,
      label: `${actionWords[action]}: the selected prospects`,
      shortLabel: actionWords[action],
      group: 'Selection',
      Icon,
      permission,
      asksMore: true,
      ...(refusal !== null && { unavailable: refusal }),
      run: () => setChosen(action),
    }),
  )
  useActions('screen', offered)
  return (
    <>
      {offered.map((action) => (
        <ActionButton key={action.id} action={action} variant="default" size="compact-sm" />
      ))}
      <LazyDialogSlot>
        {chosen !== null && (
          <BulkDialog
            action={chosen}
            selection={selectionIn(selection, conditions)}
            words={selectionWords(selection)}
            close={() => setChosen(null)}
            reopen={() => setChosen(chosen)}
          />
        )}
      </LazyDialogSlot>
    </>
  )
}

function tooMany({ ids, allBut }: ListSelection): string | null {
  if (allBut !== null)
    return allBut.length > limits.excluded
      ? `At most ${countWords(limits.excluded, 'row', 'rows')} can be excluded.`
      : null
  return ids.length > limits.ids
    ? `At most ${countWords(limits.ids, 'row', 'rows')} can be selected one by one. Select all that match instead.`
    : null
}

function selectionIn({ ids, allBut }: ListSelection, conditions: FilterInput): BulkSelection {
  return allBut === null ? { ids } : { filter: conditions, excludedIds: [...allBut] }
}

function selectionWords({ count }: ListSelection): string {
  return count === null ? 'all prospects that match' : prospectCount(count)
}
