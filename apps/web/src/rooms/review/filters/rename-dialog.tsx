import { TextInput } from '@mantine/core'
import { editSavedFilter, type SavedFilter } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { missingName } from './save-filter-dialog.tsx'
import { refreshFilters } from './saved-filters.queries.ts'

type Props = { filter: SavedFilter; close: () => void; reopen: () => void }

export function RenameDialog({ filter, close, reopen }: Props) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title="Rename the filter"
      submitLabel="Rename"
      what="the filter"
      initial={{ name: filter.name }}
      edits={{ reload: () => refreshFilters(queryClient), labels: { name: 'Name' } }}
      validate={missingName}
      send={({ name }) =>
        dataOf(
          editSavedFilter({
            path: { savedFilterId: filter.id },
            body: { name: name.trim() },
            ...ifMatch(filter.version),
          }),
        )
      }
      onSaved={() => {
        void refreshFilters(queryClient)
        close()
      }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <TextInput
          label="Name"
          withAsterisk
          maxLength={inputLimits.filterName}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
    </FormDialog>
  )
}
