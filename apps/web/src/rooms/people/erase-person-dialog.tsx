import { Checkbox, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { erasePerson, type Person } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import { isTypedAs, nameText } from '../../ui/text/name-text.ts'
import { refreshPeople } from './people.queries.ts'

/** Dialog that erases a person. It requires a reason, the typed name and fresh proof. */
export function ErasePersonDialog({
  person,
  businessId,
  close,
  reopen,
}: DialogProps & { person: Person; businessId: string }) {
  const queryClient = useQueryClient()
  const name = nameText(person.name)
  const isBlocked = person.doNotContact !== null
  return (
    <FormDialog
      title={`Erase ${name} permanently?`}
      submitLabel="Erase permanently"
      tone="danger"
      what={`Erase ${name} permanently`}
      isAction
      initial={{ reason: '', typedName: '', suppress: false }}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...(!isTypedAs(values.typedName, person.name) && { typedName: 'The name does not match.' }),
      })}
      send={({ reason, suppress }, { key }) =>
        dataOf(erasePerson({ path: { personId: person.id }, body: { reason, suppress }, ...withKey(key) }))
      }
      onSaved={() => {
        // Inactive cached responses may contain the erased values.
        queryClient.removeQueries({ type: 'inactive', predicate: ({ meta }) => meta?.isPart !== true })
        void refreshPeople(queryClient, businessId)
        for (const queryKey of [answersAbout('suppression'), answersAbout('exports')])
          void queryClient.invalidateQueries({ queryKey })
        notifications.show({ message: 'The person was erased permanently.' })
        close()
      }}
      draft={{
        name: `person-erase-${person.id}`,
        isBlank: ({ reason }) => reason.trim() === '',
        // Never restored from a draft: the name must be typed each time as a confirmation.
        guards: { typedName: oneOf([]) },
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">
            This deletes the name, role, note, addresses and numbers of the person, of everybody joined with this
            person, and the files of exports. Notes, evidence and interaction texts of the prospect stay. The deletion
            cannot be undone.
          </Text>
          {isBlocked ? (
            <Text size="sm" fw={500}>
              The person is marked do not contact, so the addresses and numbers stay blocked, in a form that nobody can
              read.
            </Text>
          ) : (
            <Checkbox
              label="Keep the addresses and numbers blocked, in a form that nobody can read"
              {...form.getInputProps('suppress', { type: 'checkbox' })}
            />
          )}
          <ReasonField
            form={form}
            restored={restored}
            description="The legal ground. The audit log stores this text, so do not name anyone"
            data-autofocus
          />
          <TextInput
            label="Name of the person"
            description={`Type ${name} to confirm`}
            withAsterisk
            aria-required
            autoComplete="off"
            {...form.getInputProps('typedName')}
          />
        </>
      )}
    </FormDialog>
  )
}
