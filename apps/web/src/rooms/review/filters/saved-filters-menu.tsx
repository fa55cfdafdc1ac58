import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { editSavedFilter, type SavedFilter } from '@prospect/api-client'
import { IconBookmark, IconChevronDown, IconDeviceFloppy } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useSession } from '../../../ui/api/session.ts'
import { LazyDialogSlot } from '../../../ui/dialogs/lazy-dialog-slot.tsx'
import { useOpener } from '../../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../../ui/layout/menu.ts'
import { lazyPart } from '../../../ui/lazy/lazy-part.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import {
  type Desk,
  defaultsQuery,
  deskFiltersQuery,
  type FilterContent,
  isBroken,
  refreshFilters,
  setDefault,
} from './saved-filters.queries.ts'

const SaveFilterDialog = lazyPart('save-filter', () =>
  import('./save-filter-dialog.tsx').then((module) => module.SaveFilterDialog),
)

type Props = {
  desk: Desk
  /** The filter that the list was opened with. */
  open: SavedFilter | null
  /** The list asks for something else than the open filter. */
  isEdited: boolean
  content: FilterContent
  /** null: the list without a saved filter. */
  choose: (filter: SavedFilter | null) => void
}

/** The saved filters of a desk: open, save, save as, reset, default. */
export function SavedFiltersMenu({ desk, open, isEdited, content, choose }: Props) {
  const { button, floating } = useOpener('menu')
  const [isSaving, setSaving] = useState(false)
  const queryClient = useQueryClient()
  const save = useMutation({
    meta: { notSaved: 'the filter' },
    mutationFn: (filter: SavedFilter) =>
      dataOf(editSavedFilter({ path: { savedFilterId: filter.id }, body: content, ...ifMatch(filter.version) })),
    onSuccess: ({ name }) => notifications.show({ message: `Saved: ${nameText(name)}` }),
    onSettled: () => refreshFilters(queryClient),
  })
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
      run: () => open !== null && save.mutate(open),
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
              save={() => open !== null && save.mutate(open)}
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

type ItemsProps = Pick<Props, 'desk' | 'open' | 'isEdited' | 'choose'> & {
  Menu: Parameters<Parameters<typeof FloatingMenu>[0]['children']>[0]
  save: () => void
  saveAs: () => void
}

function Items({ Menu, desk, open, isEdited, choose, save, saveAs }: ItemsProps) {
  const { user } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const filters = useQuery(deskFiltersQuery(desk))
  const defaults = useQuery(defaultsQuery).data
  const own = filters.data?.filter(({ owner }) => owner.id === user.id) ?? []
  const shared = filters.data?.filter(({ owner }) => owner.id !== user.id) ?? []
  const isOwnDefault = open !== null && defaults?.own[desk] === open.id
  // Awaited, not called back: the menu is gone before the server answers.
  const makeDefault = async (filterId: string | null): Promise<void> => {
    try {
      await setDefault(queryClient, { scope: 'own', desk, filterId })
      notifications.show({
        message:
          filterId === null ? 'This list opens without a default of yours.' : 'This list opens with this filter.',
      })
    } catch (error) {
      const stale = isProblem(error, 'version_conflict')
      const message = stale ? 'Your defaults changed meanwhile. Try again.' : sentenceOf(error)
      notifications.show({ color: 'red', title: 'Not saved: your default', message })
    }
    await refreshFilters(queryClient)
  }
  const item = (filter: SavedFilter) => (
    <Menu.Item
      key={filter.id}
      aria-current={filter.id === open?.id}
      onClick={() =>
        isBroken(filter)
          ? void navigate({ to: '/review/filters/$savedFilterId', params: { savedFilterId: filter.id } })
          : choose(filter)
      }
    >
      {nameText(filter.name)}
      {isBroken(filter) && ' (to repair)'}
    </Menu.Item>
  )
  return (
    <>
      {open !== null && (
        <>
          <Menu.Label>{nameText(open.name)}</Menu.Label>
          {isEdited && open.mayChange && <Menu.Item onClick={save}>Save</Menu.Item>}
          {isEdited && <Menu.Item onClick={() => choose(open)}>Reset</Menu.Item>}
          <Menu.Item onClick={() => void makeDefault(isOwnDefault ? null : open.id)}>
            {isOwnDefault ? 'No longer my default' : 'Make it my default'}
          </Menu.Item>
          <Menu.Item
            onClick={() => void navigate({ to: '/review/filters/$savedFilterId', params: { savedFilterId: open.id } })}
          >
            Share, rename, delete
          </Menu.Item>
          <Menu.Item onClick={() => choose(null)}>Close this filter</Menu.Item>
          <Menu.Divider />
        </>
      )}
      <Menu.Item onClick={saveAs}>Save as…</Menu.Item>
      {filters.isPending && <Menu.Label>Loading the filters</Menu.Label>}
      {filters.isError && <Menu.Label>The filters could not be loaded. {sentenceOf(filters.error)}</Menu.Label>}
      {own.length > 0 && <Menu.Label>My filters</Menu.Label>}
      {own.map(item)}
      {shared.length > 0 && <Menu.Label>Shared with me</Menu.Label>}
      {shared.map(item)}
      <Menu.Divider />
      <Menu.Item onClick={() => void navigate({ to: '/review/filters' })}>All saved filters</Menu.Item>
    </>
  )
}
