import type { Menu as MantineMenu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SavedFilter } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { useSession } from '../../../ui/api/session.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import {
  type Desk,
  defaultsQuery,
  deskFiltersQuery,
  isBroken,
  refreshFilters,
  setDefault,
} from './saved-filters.queries.ts'

export type ItemsProps = {
  Menu: typeof MantineMenu
  desk: Desk
  open: SavedFilter | null
  isEdited: boolean
  choose: (filter: SavedFilter | null) => void
  save: () => void
  saveAs: () => void
}

/** Items in the menu of saved filters. */
export function SavedFilterItems({ Menu, desk, open, isEdited, choose, save, saveAs }: ItemsProps) {
  const { user } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const filters = useQuery(deskFiltersQuery(desk))
  const defaults = useQuery(defaultsQuery).data
  const own = filters.data?.filter(({ owner }) => owner.id === user.id) ?? []
  const shared = filters.data?.filter(({ owner }) => owner.id !== user.id) ?? []
  const isOwnDefault = open !== null && defaults?.own[desk] === open.id
  // Awaits the response instead of using callbacks of a mutation, because the menu unmounts before the server responds.
  const makeDefault = async (filterId: string | null): Promise<void> => {
    try {
      await setDefault(queryClient, { scope: 'own', desk, filterId })
      notifications.show({
        message:
          filterId === null ? 'This list now opens without a default filter.' : 'This list now opens with this filter.',
      })
    } catch (error) {
      const stale = isProblem(error, 'version_conflict')
      const message = stale ? 'Your default filters changed in the meantime. Try again.' : sentenceOf(error)
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
