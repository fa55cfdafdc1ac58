import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { editSavedFilter, type SavedFilter } from '@prospect/api-client'
import { IconBookmark, IconChevronDown, IconDeviceFloppy } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { LazyDialogSlot } from '../../../ui/dialogs/lazy-dialog-slot.tsx'
import { useOpener } from '../../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../../ui/layout/menu.ts'
import { lazyPart, usePrefetchParts } from '../../../ui/lazy/lazy-part.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { type Desk, type FilterContent, refreshFilters } from './saved-filters.queries.ts'
import classes from './saved-filters-menu.module.css'

const SaveFilterDialog = lazyPart('save-filter', () =>
  import('./save-filter-dialog.tsx').then((module) => module.SaveFilterDialog),
)

const Items = lazyPart('saved-filters', () =>
  import('./saved-filter-items.tsx').then((module) => module.SavedFilterItems),
)
const nextParts = [Items]

type Props = {
  desk: Desk
  /** Filter with which the list was opened. */
  open: SavedFilter | null
  /** True if the list differs from the open filter. */
  isEdited: boolean
  content: FilterContent
  /** Opens a filter; null opens the list without one. */
  choose: (filter: SavedFilter | null) => void
}

/** Menu of the saved filters of a desk: open, save, save as, reset, set as default. */
export function SavedFiltersMenu({ desk, open, isEdited, content, choose }: Props) {
  const { button, floating } = useOpener('menu')
  usePrefetchParts(nextParts)
  const [isSaving, setSaving] = useState(false)
  const queryClient = useQueryClient()
  const save = useMutation({
    meta: { notSaved: 'the filter' },
    mutationFn: (filter: SavedFilter) =>
      dataOf(editSavedFilter({ path: { savedFilterId: filter.id }, body: content, ...ifMatch(filter.version) })),
    onSuccess: ({ name }) => notifications.show({ message: `Saved: ${nameText(name)}` }),
    onSettled: () => refreshFilters(queryClient),
  })
  const saveOpen = () => {
    if (open !== null && !save.isPending) save.mutate(open)
  }
  const group = 'List'
  const actions: Action[] = [
    {
      id: 'filters.open',
      label: 'Saved filters',
      group,
      keys: 'f',
      keywords: 'view',
      run: () => document.getElementById(button.id)?.click(),
    },
    {
      id: 'filters.save',
      label: 'Save this filter',
      group,
      Icon: IconDeviceFloppy,
      unavailable: open === null || !isEdited || !open.mayChange,
      isBusy: save.isPending,
      run: saveOpen,
    },
    {
      id: 'filters.save_as',
      label: 'Save this filter as…',
      group,
      Icon: IconDeviceFloppy,
      run: () => setSaving(true),
    },
  ]
  useActions('screen', actions)
  const name = open === null ? 'Saved filters' : nameText(open.name)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        className={open === null ? classes.plain : undefined}
        leftSection={<IconBookmark size={15} stroke={1.7} aria-hidden />}
        rightSection={<IconChevronDown size={13} aria-hidden />}
        aria-label={open === null ? name : `Saved filter: ${name}${isEdited ? ', edited' : ''}`}
        {...button}
      >
        {isEdited ? `${name} · Edited` : name}
      </Button>
      {floating !== null && (
        <FloatingMenu {...floating} position="bottom-start" width={280}>
          {(Menu) => (
            <Items
              Menu={Menu}
              desk={desk}
              open={open}
              isEdited={isEdited}
              choose={choose}
              save={saveOpen}
              saveAs={() => setSaving(true)}
            />
          )}
        </FloatingMenu>
      )}
      <LazyDialogSlot>
        {isSaving && (
          <SaveFilterDialog
            desk={desk}
            content={content}
            saved={choose}
            close={() => setSaving(false)}
            reopen={() => setSaving(true)}
          />
        )}
      </LazyDialogSlot>
    </>
  )
}
