import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Person, separatePerson } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { refreshPeople } from './people.queries.ts'

/** Dialog that separates a person from the one with whom it was joined. */
export function SeparateDialog({ person, businessId, close }: DialogProps & { person: Person; businessId: string }) {
  const queryClient = useQueryClient()
  const name = nameText(person.name)
  return (
    <FormDialog<Record<string, never>, Person>
      title={`List ${name} separately?`}
      submitLabel="Separate"
      what={`the separation of ${name}`}
      isAction
      initial={{}}
      send={(_values, { key }) => dataOf(separatePerson({ path: { personId: person.id }, ...withKey(key) }))}
      isUndoable
      onSaved={() => {
        void refreshPeople(queryClient, businessId)
        notifications.show({ message: `${name} is listed separately.` })
        close()
      }}
      close={close}
    >
      {() => (
        <Text size="sm">
          The person gets back the values from before the join. The other one keeps what the join added. Do not contact
          stays with both.
        </Text>
      )}
    </FormDialog>
  )
}
