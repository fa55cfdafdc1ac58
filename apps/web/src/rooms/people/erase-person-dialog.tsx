import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { erasePerson, type Person } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { ErasureDialog } from '../../ui/dialogs/erasure-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { refreshPeople } from './people.queries.ts'

/** Dialog that erases a person. */
export function ErasePersonDialog({
  person,
  businessId,
  ...dialog
}: DialogProps & { person: Person; businessId: string }) {
  const queryClient = useQueryClient()
  const isBlocked = person.doNotContact !== null
  return (
    <ErasureDialog
      name={person.name}
      noun="person"
      draftName={`person-erase-${person.id}`}
      explanation={
        <>
          <Text size="sm">
            This deletes the name, role, note, addresses and numbers of the person, of everybody joined with this
            person, and the files of exports. Notes, evidence and interaction texts of the prospect stay. The deletion
            cannot be undone.
          </Text>
          {isBlocked && (
            <Text size="sm" fw={500}>
              The person is marked do not contact, so the addresses and numbers stay blocked, in a form that nobody can
              read.
            </Text>
          )}
        </>
      }
      suppressLabel={isBlocked ? null : 'Keep the addresses and numbers blocked, in a form that nobody can read'}
      send={(body, key) => dataOf(erasePerson({ path: { personId: person.id }, body, ...withKey(key) }))}
      onSaved={() => {
        void refreshPeople(queryClient, businessId)
        notifications.show({ message: 'The person was erased permanently.' })
        dialog.close()
      }}
      {...dialog}
    />
  )
}
