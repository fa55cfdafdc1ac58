import { Radio, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createRuleSet, editRuleSet, type ScoringRuleSet } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ifMatch, withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useSession } from '../../../ui/api/session.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import type { DialogProps } from '../../../ui/dialogs/use-dialog.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import type { SaveForm } from '../../../ui/forms/use-save-form.ts'
import { usePeopleOptions, usePersonName } from '../../../ui/prospects/assignees.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from '../scoring.module.css'
import { refreshScoring, templatesQuery } from '../scoring.queries.ts'

type Fields = { name: string; description: string; ownerId: string }

const requireName = ({ name }: Fields) => (name.trim() === '' ? { name: 'Enter a name.' } : {})

/** Dialog to create a rule set with a first draft from a template. */
export function CreateRuleSetDialog({ close, reopen }: DialogProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { user } = useSession()
  return (
    <FormDialog
      title="New rule set"
      submitLabel="Create"
      size="lg"
      what="the new rule set"
      initial={{ name: '', description: '', ownerId: user.id, template: 'reachable' }}
      validate={requireName}
      send={({ description, ...body }, { key }) =>
        dataOf(createRuleSet({ body: { ...body, ...(description.trim() !== '' && { description }) }, ...withKey(key) }))
      }
      onSaved={(made, _values, { isMounted }) => {
        void refreshScoring(queryClient)
        notifications.show({ message: `${nameText(made.name)} created with a draft` })
        close()
        const params = { ruleSetId: made.id, version: '1' }
        if (isMounted()) void navigate({ to: '/scoring/rule-sets/$ruleSetId/versions/$version', params })
      }}
      draft={{ name: 'new-rule-set' }}
      close={close}
      reopen={reopen}
    >
      {(save) => (
        <>
          <RuleSetFields save={save} owner={null} />
          <Templates {...save.form.getInputProps('template')} />
        </>
      )}
    </FormDialog>
  )
}

/** Dialog to edit name, description and owner of a rule set. */
export function EditRuleSetDialog({ ruleSet, close, reopen }: DialogProps & { ruleSet: ScoringRuleSet }) {
  const queryClient = useQueryClient()
  const { id, version, name, description, owner } = ruleSet
  const nameOf = usePersonName(owner)
  return (
    <FormDialog
      title={`Edit ${nameText(name)}`}
      submitLabel="Save"
      size="lg"
      what={nameText(name)}
      initial={{ name, description: description ?? '', ownerId: owner.id }}
      edits={{
        reload: () => refreshScoring(queryClient),
        labels: { name: 'Name', ownerId: 'Owner' },
        lines: { ownerId: (id) => [nameOf(id)] },
      }}
      validate={requireName}
      send={(values) => {
        const body = { ...values, description: values.description.trim() === '' ? null : values.description }
        return dataOf(editRuleSet({ path: { ruleSetId: id }, body, ...ifMatch(version) }))
      }}
      onSaved={(saved) => {
        void refreshScoring(queryClient)
        notifications.show({ message: `${nameText(saved.name)} saved` })
        close()
      }}
      draft={{ name: `rule-set-${id}` }}
      close={close}
      reopen={reopen}
    >
      {(save) => <RuleSetFields save={save} owner={owner} />}
    </FormDialog>
  )
}

type FieldsProps<Values extends Fields> = { save: SaveForm<Values>; owner: ScoringRuleSet['owner'] | null }

function RuleSetFields<Values extends Fields>({ save: { form, restored }, owner }: FieldsProps<Values>) {
  const people = usePeopleOptions(owner)
  return (
    <>
      <TextInput
        label="Name"
        description={
          <>
            At most {inputLimits.ruleSetName} characters.
            <DraftHint draft={restored} />
          </>
        }
        withAsterisk
        aria-required
        data-autofocus
        maxLength={inputLimits.ruleSetName}
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        description="The purpose of these scores. Optional."
        autosize
        maxLength={inputLimits.ruleSetDescription}
        {...form.getInputProps('description')}
      />
      <Select label="Owner" searchable data={people} {...form.getInputProps('ownerId')} />
    </>
  )
}

type TemplatesProps = { value?: string; onChange?: (template: string) => void }

function Templates(props: TemplatesProps) {
  const { data } = useQuery(templatesQuery)
  return (
    <Radio.Group label="Start from" {...props}>
      <div className={classes.choices}>
        {(data?.items ?? []).map(({ key, title, description }) => (
          <Radio key={key} value={key} label={title} description={description} />
        ))}
      </div>
    </Radio.Group>
  )
}
