import { Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type AssistPolicy, type CreateAssistPolicyData, createAssistPolicy } from '@prospect/api-client'
import { listSourcesOptions } from '@prospect/api-client/query'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { refreshAssist } from './assist.queries.ts'
import {
  initialPolicy,
  numberFields,
  numberRanges,
  type PolicyValues,
  policyBody,
  wrongNumbers,
} from './policy-values.ts'

type Props = { close: () => void; reopen: () => void }

/** Dialog to create a version of the policy, which another user must approve. */
export function NewPolicyDialog({ close, reopen }: Props) {
  const queryClient = useQueryClient()
  const ownerId = useSession().user.id
  const sources = useQuery(listSourcesOptions({ query: { limit: 200 } })).data?.items ?? []
  const choices = sources
    .filter(({ adapter }) => adapter !== null)
    .map(({ id, name, contractVersion }) => ({ value: id, label: `${nameText(name)}, version ${contractVersion}` }))
  const bodyOf = (values: PolicyValues): CreateAssistPolicyData['body'] => {
    const source = sources.find(({ id }) => id === values.sourceId)
    return policyBody(values, { ownerId, sourceVersion: source?.contractVersion })
  }
  return (
    <FormDialog<PolicyValues, AssistPolicy>
      title="New policy version"
      submitLabel="Save version"
      size="lg"
      what="the version"
      initial={initialPolicy}
      validate={(values): FieldErrors => wrongNumbers(values)}
      send={(values, { key }) => dataOf(createAssistPolicy({ body: bodyOf(values), ...withKey(key) }))}
      onSaved={({ version }) => {
        void refreshAssist(queryClient)
        notifications.show({ message: `Version ${version} was saved.` })
        close()
      }}
      draft={{ name: 'assist-policy' }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <Stack gap="sm">
          <Text size="sm">
            You will be the owner of this version. You can save an unfinished version and complete it later, before you
            submit it.
          </Text>
          <Select label="Source" data={choices} clearable data-autofocus {...form.getInputProps('sourceId')} />
          <Select
            label="Second source, if the first fails"
            data={choices}
            clearable
            {...form.getInputProps('fallbackSourceId')}
          />
          <Checkbox label="Summaries of prospects" {...form.getInputProps('summaries', { type: 'checkbox' })} />
          <Checkbox label="Sentences for drafts" {...form.getInputProps('drafts', { type: 'checkbox' })} />
          <Checkbox label="Send facts with their evidence" {...form.getInputProps('claims', { type: 'checkbox' })} />
          <Checkbox
            label="Send free-text observations"
            description="The rules cannot find names of people in such texts"
            {...form.getInputProps('observations', { type: 'checkbox' })}
          />
          <Select
            label="Store sent and received texts for"
            data={[
              { value: 'none', label: 'Not stored' },
              { value: 'days_30', label: '30 days' },
              { value: 'days_90', label: '90 days' },
            ]}
            {...form.getInputProps('retention')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {numberFields.map(({ name, label }) => (
              <NumberField key={name} label={label} {...numberRanges[name]} {...form.getInputProps(name)} />
            ))}
            <TextInput label="Currency" maxLength={3} {...form.getInputProps('currency')} />
          </SimpleGrid>
        </Stack>
      )}
    </FormDialog>
  )
}
