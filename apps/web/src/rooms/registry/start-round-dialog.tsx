import { Checkbox, Group, Radio, Text } from '@mantine/core'
import { type RegistryRound, startRegistryRound } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { pipelineOrder, pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { refreshRounds } from './registry.queries.ts'
import { formWords, kindWords } from './registry-words.ts'

type Kinds = RegistryRound['kinds']
type Columns = RegistryRound['columns']
type Values = { kinds: Kinds; form: RegistryRound['form']; states: RegistryRound['states']; extra: Columns }

const extraWords = { round: 'Id of the round', kind: 'Kind of value' } as const

/** Dialog that starts a round. Its file is written by a job. The API requires fresh proof. */
export function StartRoundDialog({ close, reopen }: DialogProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <FormDialog<Values, RegistryRound>
      title="Start a registry round"
      submitLabel="Start round"
      what="the round"
      isAction
      initial={{ kinds: ['phone', 'email'], form: 'plain', states: [], extra: ['round', 'kind'] }}
      validate={({ kinds }) => (kinds.length === 0 ? { kinds: 'Choose at least one kind of value.' } : {})}
      fieldOf={(path) => (path.startsWith('kinds') ? 'kinds' : path.startsWith('states') ? 'states' : undefined)}
      send={({ extra, ...values }, { key }) =>
        dataOf(startRegistryRound({ body: { ...values, columns: [...extra, 'value'] }, ...withKey(key) }))
      }
      onSaved={(round) => {
        void refreshRounds(queryClient)
        close()
        void navigate({ to: '/suppression/registry/$roundId', params: { roundId: round.id } })
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, values }) => (
        <>
          <Checkbox.Group label="Values" {...form.getInputProps('kinds')}>
            <Group gap="sm" mt={4}>
              {(['phone', 'email'] as const).map((kind) => (
                <Checkbox key={kind} value={kind} label={kindWords[kind]} />
              ))}
            </Group>
          </Checkbox.Group>
          <Radio.Group label="Form" description="As your registry asks" {...form.getInputProps('form')}>
            <Radio
              value="plain"
              label={formWords.plain}
              description="Numbers as +27821234567, addresses in lower case"
              mt="xs"
            />
            <Radio
              value="sha256"
              label={formWords.sha256}
              description="The page of the round shows the salt. The registry needs the salt to compute the same fingerprints"
              mt="xs"
            />
          </Radio.Group>
          <Checkbox.Group
            label="Further columns"
            description="The column value is always there"
            {...form.getInputProps('extra')}
          >
            <Group gap="sm" mt={4}>
              {(['round', 'kind'] as const).map((column) => (
                <Checkbox key={column} value={column} label={extraWords[column]} />
              ))}
            </Group>
          </Checkbox.Group>
          <MultiSelect
            label="Pipeline states"
            placeholder={values.states.length === 0 ? 'All' : ''}
            description="A round of some states does not clean the workspace"
            data={pipelineOrder.map((state) => ({ value: state, label: pipelineStateName(state) }))}
            {...form.getInputProps('states')}
          />
          <Text size="sm" c="dimmed">
            The file contains no names, and no value that is blocked already. It is deleted after a day.
          </Text>
        </>
      )}
    </FormDialog>
  )
}
