import { Autocomplete, TextInput } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../ui/api/session.ts'
import { type EditorStep, InlineEditor } from '../../../ui/fields/inline-editor.tsx'
import { NameTagsInput } from '../../../ui/fields/name-tags-input.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import { tagsStartingWith } from '../../../ui/prospects/tag-queries.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { provinces } from '../../../ui/text/provinces.ts'
import { valuesFrom } from '../record/prospect-form.ts'
import { ContactEditor } from './contact-editor.tsx'
import { type EditedField, isContactField, type TextFieldName, textField } from './edited-fields.ts'
import { useSaveEdit } from './use-save-edit.tsx'

type Props = {
  business: Business
  field: EditedField
  close: (step: EditorStep) => void
  isCell?: boolean
}

/** The editor of one field of a record, in its overview or in a cell of a list. A cell has room for the value alone, without its label. */
export function FieldEditor({ business, ...props }: Props) {
  // The version that the person saw. A later one, which live updates bring, would replace the value of someone else without a conflict.
  const [seen] = useState(business)
  const { field, isCell = false } = props
  if (field === 'assigneeId') return <AssigneeEditor {...props} business={seen} />
  if (field === 'tags') return <TagsEditor {...props} business={seen} />
  if (isContactField(field) && !isCell) return <ContactEditor {...props} business={seen} field={field} />
  return <TextEditor {...props} business={seen} field={field} />
}

const isEqual = <Value,>(a: Value, b: Value): boolean => a === b

function TextEditor({ business, field, close, isCell = false }: Props & { field: TextFieldName }) {
  const save = useSaveEdit(business)
  const { country } = useSession().tenant
  const { label, maxLength, read, write } = textField(field, country)
  const name = `${label} of ${nameText(business.name)}`
  return (
    <InlineEditor
      label={name}
      initial={read(valuesFrom(business))}
      isSame={isEqual}
      isCell={isCell}
      save={(text) => save(label, (values) => write(values, text))}
      close={close}
    >
      {({ value, onChange, isSaving, hasFailed }) =>
        field === 'address.province' ? (
          <Autocomplete
            size="xs"
            data-autofocus
            aria-label={name}
            data={provinces.map((one) => one.name)}
            value={value}
            onChange={onChange}
            maxLength={maxLength}
            readOnly={isSaving}
            error={hasFailed}
          />
        ) : (
          <TextInput
            size="xs"
            data-autofocus
            aria-label={name}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            maxLength={maxLength}
            autoComplete="off"
            readOnly={isSaving}
            error={hasFailed}
          />
        )
      }
    </InlineEditor>
  )
}

function AssigneeEditor({ business, close, isCell = false }: Props) {
  const save = useSaveEdit(business)
  const people = usePeopleOptions(business.assignee)
  const name = `Assignee of ${nameText(business.name)}`
  return (
    <InlineEditor
      label={name}
      initial={business.assignee?.id ?? null}
      isSame={isEqual}
      isCell={isCell}
      save={(assigneeId) => save('Assignee', (values) => ({ ...values, assigneeId }))}
      close={close}
    >
      {({ value, choose, isSaving, hasFailed }) => (
        <Select
          size="xs"
          data-autofocus
          aria-label={name}
          placeholder="Nobody"
          data={people}
          searchable
          clearable
          value={value}
          onChange={choose}
          readOnly={isSaving}
          error={hasFailed}
        />
      )}
    </InlineEditor>
  )
}

const isSameList = (a: string[], b: string[]) => a.length === b.length && a.every((tag, index) => tag === b[index])

function TagsEditor({ business, close, isCell = false }: Props) {
  const save = useSaveEdit(business)
  const [typed, setTyped] = useState('')
  const { data } = useQuery(tagsStartingWith(typed))
  const name = `Tags of ${nameText(business.name)}`
  return (
    <InlineEditor
      label={name}
      initial={business.tags}
      isSame={isSameList}
      isCell={isCell}
      save={(tags) => save('Tags', (values) => ({ ...values, tags }))}
      close={close}
    >
      {({ value, onChange, isSaving, hasFailed }) => (
        <NameTagsInput
          size="xs"
          data-autofocus
          aria-label={name}
          data={data?.items.map(({ tag }) => tag) ?? []}
          value={value}
          onChange={onChange}
          searchValue={typed}
          onSearchChange={setTyped}
          readOnly={isSaving}
          error={hasFailed}
        />
      )}
    </InlineEditor>
  )
}
