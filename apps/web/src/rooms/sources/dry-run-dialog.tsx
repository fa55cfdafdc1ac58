import { Button, Group, Stack, TextInput } from '@mantine/core'
import { planSourceQuery, type Source, type SourceDryRun } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'
import { codeWords, itemName, valueWords } from './source-words.ts'
import classes from './sources.module.css'
import { refreshSources } from './sources.queries.ts'

const ranges = { maxRecords: { min: 1, max: 1_000 } }

const listOf = (typed: string) => typed.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))

/** Dialog that plans a query without sending it. */
export function DryRunDialog({ source, close }: { source: Source; close: () => void }) {
  const queryClient = useQueryClient()
  const { scope } = source.contract
  const [plan, setPlan] = useState<SourceDryRun | null>(null)
  const save = useSaveForm({
    initial: {
      businessId: '',
      fields: (scope?.fields ?? ['name']).join(', '),
      maxRecords: (scope?.maxRecords ?? 10) as NumberValue,
    },
    validate: (values) => numberProblems(values, ranges),
    isUndoable: true,
    send: ({ businessId, fields, maxRecords }, { key }) => {
      const query = {
        ...(businessId.trim() !== '' && { businessId: businessId.trim() }),
        fields: listOf(fields),
        provinces: scope?.provinces ?? [],
        maxRecords: numberOf(maxRecords) ?? 0,
      }
      return dataOf(planSourceQuery({ path: { sourceId: source.id }, body: { query }, ...withKey(key) }))
    },
    onSaved: (planned) => {
      setPlan(planned)
      void refreshSources(queryClient)
    },
    what: 'Plan query',
    isAction: true,
    fieldOf: (path) => {
      const field = path.replace(/^query\./, '')
      return ['businessId', 'fields', 'maxRecords'].includes(field) ? field : undefined
    },
  })
  const { form } = save
  return (
    <Dialog onClose={close} title="Plan query" size="lg">
      <SaveForm
        save={save}
        actions={
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button type="submit" loading={save.isSaving}>
              Plan
            </Button>
          </Group>
        }
      >
        <Stack gap="sm">
          <p className={classes.meta}>A dry run: nothing is sent, and the adapter is not started.</p>
          <TextInput
            label="Prospect"
            description="The last part of the prospect’s address. Required if the adapter is loaded."
            {...form.getInputProps('businessId')}
          />
          <TextInput label="Fields" description="Separated by commas" {...form.getInputProps('fields')} />
          <NumberField label="Records" {...ranges.maxRecords} {...form.getInputProps('maxRecords')} />
          <div role="status">{plan !== null && <Plan plan={plan} />}</div>
        </Stack>
      </SaveForm>
    </Dialog>
  )
}

function Plan({ plan }: { plan: SourceDryRun }) {
  const most = (value: number | null) => (value === null ? 'Not bounded yet' : formatNumber(value))
  return (
    <>
      <dl className={classes.facts}>
        <dt>Would be requested</dt>
        <dd>{plan.planned.length === 0 ? 'Unknown: the adapter is not loaded' : plan.planned.join('; ')}</dd>
        <dt>Requests, at most</dt>
        <dd>{most(plan.requests)}</dd>
        <dt>Bytes, at most</dt>
        <dd>{most(plan.bytes)}</dd>
        <dt>Minutes, at most</dt>
        <dd>{most(plan.minutes)}</dd>
        <dt>Records, at most</dt>
        <dd>{most(plan.records)}</dd>
        <dt>Fields</dt>
        <dd>{plan.fields.length === 0 ? 'None' : plan.fields.join(', ')}</dd>
        <dt>Raw text is stored for</dt>
        <dd>{valueWords(plan.rawRetention)}</dd>
      </dl>
      {plan.stoppedBy.length === 0 ? (
        <p>This query can be sent.</p>
      ) : (
        <>
          <p>This query cannot be sent now:</p>
          <ul>
            {plan.stoppedBy.map(({ item, reason }) => (
              <li key={`${item} ${reason}`}>
                {nameOf(item)}: {codeWords(reason)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const nameOf = (item: string): string => itemName(item as Parameters<typeof itemName>[0]) ?? codeWords(item)
