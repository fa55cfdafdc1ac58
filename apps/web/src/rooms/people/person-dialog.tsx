import { Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addPerson, editPerson, type Person } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch, withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { FieldErrors, SaveForm } from '../../ui/forms/use-save-form.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { languageOptions } from '../../ui/text/languages.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { refreshPeople, useNewestPerson } from './people.queries.ts'
import { type PersonValues, personBody, valuesOf } from './person-values.ts'

export const labels = {
  name: 'Name',
  role: 'Role',
  language: 'Language',
  emails: 'Emails',
  phones: 'Phones',
  note: 'Note',
}

export function problemsOf({ name }: PersonValues): FieldErrors {
  return /\p{L}/u.test(name) ? {} : { name: 'Enter a name with letters.' }
}

/** The field of an API path. An error of one value belongs to its list. */
export const fieldOf = (path: string) =>
  Object.keys(labels).find((field) => path === field || path.startsWith(`${field}.`))

/** Dialog that adds a person to a prospect. */
export function AddPersonDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const { country } = useSession().tenant
  return (
    <FormDialog<PersonValues, Person>
      title={`Add a person at ${nameText(business.name)}`}
      submitLabel="Add person"
      what={({ name }) => `the person ${nameText(name)}`}
      initial={valuesOf(null)}
      validate={problemsOf}
      fieldOf={fieldOf}
      send={(values, { key }) =>
        dataOf(
          addPerson({ path: { businessId: business.id }, body: personBody(values, null, country), ...withKey(key) }),
        )
      }
      onSaved={({ name, doNotContact }) => {
        void refreshPeople(queryClient, business.id)
        const mark = doNotContact === null ? '' : ' A value is on the do-not-contact list, so the prospect is marked.'
        notifications.show({ message: `${nameText(name)} added.${mark}` })
        close()
      }}
      draft={{ name: `person-${business.id}` }}
      close={close}
      reopen={reopen}
    >
      {(save) => <PersonFields save={save} />}
    </FormDialog>
  )
}

/** Dialog that edits a person. */
export function EditPersonDialog({
  person: opened,
  businessId,
  close,
  reopen,
}: DialogProps & { person: Person; businessId: string }) {
  const queryClient = useQueryClient()
  const { country } = useSession().tenant
  const { person, reload } = useNewestPerson(opened)
  return (
    <FormDialog<PersonValues, Person>
      title={`Edit ${nameText(opened.name)}`}
      submitLabel="Save"
      what={`the person ${nameText(opened.name)}`}
      initial={valuesOf(person)}
      edits={{ reload, labels }}
      validate={problemsOf}
      fieldOf={fieldOf}
      send={(values) =>
        dataOf(
          editPerson({
            path: { personId: person.id },
            body: personBody(values, person, country),
            ...ifMatch(person.version),
          }),
        )
      }
      onSaved={({ name }) => {
        void refreshPeople(queryClient, businessId)
        notifications.show({ message: `${nameText(name)} saved.` })
        close()
      }}
      draft={{ name: `person-edit-${person.id}` }}
      close={close}
      reopen={reopen}
    >
      {(save) => <PersonFields save={save} />}
    </FormDialog>
  )
}

/** The fields of a person. `isFirst`: the dialog has no field above them. */
export function PersonFields<Values extends PersonValues>({
  save: { form },
  isFirst = true,
}: {
  save: Pick<SaveForm<Values>, 'form'>
  isFirst?: boolean
}) {
  return (
    <>
      <TextInput
        label={labels.name}
        required
        data-autofocus={isFirst}
        autoComplete="off"
        maxLength={inputLimits.personName}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={labels.role}
        description="Such as buyer, owner or accounts"
        autoComplete="off"
        maxLength={inputLimits.contactRole}
        {...form.getInputProps('role')}
      />
      <NameTagsInput
        label={labels.emails}
        description="Press Enter after each address"
        acceptValueOnBlur
        maxTags={inputLimits.contactValueCount}
        {...form.getInputProps('emails')}
      />
      <NameTagsInput
        label={labels.phones}
        description="Press Enter after each number"
        acceptValueOnBlur
        maxTags={inputLimits.contactValueCount}
        {...form.getInputProps('phones')}
      />
      <Select
        label={labels.language}
        placeholder="Not known"
        data={languageOptions(form.getValues().language)}
        searchable
        clearable
        nothingFoundMessage="No such language"
        {...form.getInputProps('language')}
        onChange={(language) => form.setFieldValue('language', language ?? '')}
      />
      <Textarea
        label={labels.note}
        description="When and how to reach the person"
        autosize
        minRows={1}
        maxLength={inputLimits.contactNote}
        {...form.getInputProps('note')}
      />
    </>
  )
}
