import { notifications } from '@mantine/notifications'
import { editBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { refreshReviewed } from '../review.queries.ts'

/** Dialog to assign a prospect. It stays in the queue. */
export function AssignDialog({ business, close, reopen }: OpenProps) {
  const people = usePeopleOptions(business.assignee)
  const queryClient = useQueryClient()
  const initial: { assigneeId: string | null } = { assigneeId: business.assignee?.id ?? null }
  return (
    <FormDialog
      title={`Assign ${nameText(business.name)}`}
      submitLabel="Assign"
      what={`the assignment of ${nameText(business.name)}`}
      initial={initial}
      isUndoable
      send={({ assigneeId }) =>
        dataOf(editBusiness({ path: { businessId: business.id }, body: { assigneeId }, ...ifMatch(business.version) }))
      }
      onSaved={({ assignee }) => {
        void refreshReviewed(queryClient, business.id)
        const words = assignee === null ? 'Assignee removed' : `${nameText(assignee.name)} is assigned`
        notifications.show({ message: `${words}: ${nameText(business.name)}` })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <Select
          label="Assignee"
          placeholder="Nobody"
          data={people}
          searchable
          clearable
          data-autofocus
          {...form.getInputProps('assigneeId')}
        />
      )}
    </FormDialog>
  )
}
