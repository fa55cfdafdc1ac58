import { Autocomplete, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PersonRef } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { NameTagsInput } from '../../../ui/fields/name-tags-input.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import { tagsStartingWith } from '../../../ui/prospects/tag-queries.ts'
import { isNumberFact, ownFacts } from '../../../ui/text/facts.ts'
import { fieldName } from '../../../ui/text/field-names.ts'
import { provinces } from '../../../ui/text/provinces.ts'
import { IdentifierRows } from './identifier-rows.tsx'
import type { ProspectForm } from './prospect-form.ts'
import { identifierLists } from './prospect-form.ts'
import classes from './record-form.module.css'

type AssigneeProps = { form: ProspectForm; assignee: PersonRef | null }
type Props = AssigneeProps & {
  /** Time at which the restored text was typed; null if no draft was restored. */
  restoredAt: string | null
  /** True for a new record, whose values may come from a CSV row or from a restored draft. */
  isNew: boolean
  /** True if something beside the fields has the focus at first. */
  startsElsewhere?: boolean
}

/** Input fields of a business, for a new record and for an edit. */
export function ProspectFields({ form, assignee, restoredAt, isNew, startsElsewhere = false }: Props) {
  return (
    <>
      <Section title="Identity">
        <div className={classes.grid}>
          <TextInput
            label={fieldName('name')}
            placeholder="Not known: the trading name is enough"
            autoFocus={!startsElsewhere}
            className={classes.wide}
            {...(restoredAt !== null && {
              description: <DraftHint draft={{ savedAt: restoredAt }} />,
              descriptionProps: { className: 'pp-visually-hidden' },
            })}
            {...form.getInputProps('name')}
          />
          {ownFacts.map((field) => (
            <TextInput
              key={field}
              label={fieldName(field)}
              {...(isNumberFact(field) && { inputMode: 'numeric' })}
              {...form.getInputProps(field)}
            />
          ))}
        </div>
      </Section>
      <Section title="Contact details">
        {identifierLists.map((list) => (
          <IdentifierRows key={list} form={form} list={list} checksAll={isNew} />
        ))}
      </Section>
      <Section title="Address">
        <div className={classes.grid}>
          <TextInput label="Street" className={classes.wide} {...form.getInputProps('address.street')} />
          <TextInput label="Suburb" {...form.getInputProps('address.suburb')} />
          <TextInput label="City" {...form.getInputProps('address.city')} />
          <Autocomplete
            label="Province"
            data={provinces.map(({ name }) => name)}
            {...form.getInputProps('address.province')}
          />
          <TextInput label="Postal code" {...form.getInputProps('address.postalCode')} />
          <TextInput label="Country" {...form.getInputProps('address.country')} />
        </div>
      </Section>
      <Section title="Work">
        <div className={classes.grid}>
          <AssigneeSelect form={form} assignee={assignee} />
          <Tags form={form} />
        </div>
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

function AssigneeSelect({ form, assignee }: AssigneeProps) {
  const people = usePeopleOptions(assignee)
  return (
    <Select
      label="Assignee"
      placeholder="Nobody"
      data={people}
      searchable
      clearable
      nothingFoundMessage="No such person in this workspace"
      {...form.getInputProps('assigneeId')}
    />
  )
}

function Tags({ form }: { form: ProspectForm }) {
  const [typed, setTyped] = useState('')
  const [prefix] = useDebouncedValue(typed, 150)
  const { data } = useQuery(tagsStartingWith(prefix))
  return (
    <NameTagsInput
      label="Tags"
      placeholder={form.values.tags.length === 0 ? 'Type a tag, then Enter' : undefined}
      data={data?.items.map(({ tag }) => tag) ?? []}
      searchValue={typed}
      onSearchChange={setTyped}
      {...form.getInputProps('tags')}
    />
  )
}
