import { Checkbox, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createSavedFilter, type SavedFilter } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan } from '../../../ui/api/session.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { type Desk, type FilterContent, refreshFilters } from './saved-filters.queries.ts'

type Props = {
  desk: Desk
  content: FilterContent
  saved: (filter: SavedFilter) => void
  close: () => void
  reopen: () => void
}

export const missingName = ({ name }: { name: string }) => (name.trim() === '' ? { name: 'Enter a name.' } : {})

/** Dialog to save the filters of a list under a name. */
export function SaveFilterDialog({ desk, content, saved, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const canShare = useCan('saved_filters.share')
  return (
    <FormDialog
      title="Save this filter"
      submitLabel="Save filter"
      what="the filter"
      initial={{ name: '', isShared: false }}
      validate={missingName}
      send={({ name, isShared }, { key }) =>
        dataOf(
          createSavedFilter({
            body: { desk, name: name.trim(), ...content, sharing: isShared ? 'tenant' : 'private' },
            ...withKey(key),
          }),
        )
      }
      onSaved={(filter) => {
        void refreshFilters(queryClient)
        notifications.show({ message: `Saved: ${nameText(filter.name)}` })
        close()
        saved(filter)
      }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <>
          <TextInput
            label="Name"
            withAsterisk
            maxLength={inputLimits.filterName}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {canShare && (
            <Checkbox
              label="Share it with everybody in the workspace"
              description="Everybody can use the filter. Only you can change it."
              {...form.getInputProps('isShared', { type: 'checkbox' })}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
