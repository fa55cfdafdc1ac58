import { Button, Group, Stack } from '@mantine/core'
import {
  type AdapterField,
  planSourceQuery,
  type Source,
  type SourceAdapter,
  type SourceDryRun,
} from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { numberText } from '../../ui/text/typed-number.ts'
import { answerFieldsOf } from './contract-values.ts'
import { retentionName } from './contract-words.ts'
import { DeclaredFields } from './declared-fields.tsx'
import { type DeclaredValues, declaredBody, declaredProblems } from './declared-values.ts'
import { codeWords, itemName } from './source-words.ts'
import classes from './sources.module.css'
import { refreshSources } from './sources.queries.ts'

/** Inputs of a query while the connector is not installed. Only what the contract itself limits can be checked then. */
const unloadedFields: readonly AdapterField[] = [
  { name: 'fields', label: 'Fields', kind: 'answer_fields' },
  { name: 'provinces', label: 'Provinces', kind: 'provinces' },
  { name: 'maxRecords', label: 'Records', kind: 'number', min: 1, max: 1_000 },
]

/** Values with which the form opens: what the contract permits. */
function initialQuery(fields: readonly AdapterField[], known: readonly string[], { contract }: Source): DeclaredValues {
  const { scope } = contract
  const permitted = (scope?.fields ?? []).filter((field) => known.length === 0 || known.includes(field))
  const values: DeclaredValues = {}
  for (const field of fields) {
    if (field.kind === 'answer_fields') values[field.name] = permitted
    if (field.kind === 'provinces') values[field.name] = [...(scope?.provinces ?? [])]
    if (field.kind === 'number') values[field.name] = Math.min(field.max, scope?.maxRecords ?? field.min)
    if (field.kind === 'choice') values[field.name] = field.options[0] ?? ''
  }
  return values
}

type Props = { source: Source; adapter: SourceAdapter | undefined; close: () => void }

/** Dialog that plans a query without sending it, with the fields of the adapter's query. */
export function DryRunDialog({ source, adapter, close }: Props) {
  const queryClient = useQueryClient()
  const fields = adapter?.query ?? unloadedFields
  const known = adapter === undefined ? [] : answerFieldsOf(adapter)
  const [initial] = useState(() => ({ query: initialQuery(fields, known, source) }))
  const [plan, setPlan] = useState<SourceDryRun | null>(null)
  const save = useSaveForm({
    initial,
    validate: ({ query }) => declaredProblems('query', fields, query, known),
    isUndoable: true,
    send: ({ query }, { key }) => {
      const body = { query: declaredBody(fields, query) }
      return dataOf(planSourceQuery({ path: { sourceId: source.id }, body, ...withKey(key) }))
    },
    onSaved: (planned) => {
      setPlan(planned)
      void refreshSources(queryClient)
    },
    what: 'Plan query',
    isAction: true,
    fieldOf: (path) => (fields.some(({ name }) => path === `query.${name}`) ? path : undefined),
  })
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
          <p className={classes.meta}>
            This is only a plan. Nothing is sent, and the connector is not started.
            {adapter === undefined &&
              ' The connector of this source is not installed, so only the limits that were set for the source are checked.'}
          </p>
          <DeclaredFields at="query" fields={fields} answerFields={known} form={save.form} />
          <div role="status">{plan !== null && <Plan plan={plan} isLoaded={adapter !== undefined} />}</div>
        </Stack>
      </SaveForm>
    </Dialog>
  )
}

/** Rounded up, because it is a limit. */
const megabytes = (bytes: number) => numberText(Math.ceil(bytes / 10_000) / 100)

function Plan({ plan, isLoaded }: { plan: SourceDryRun; isLoaded: boolean }) {
  const most = (value: number | null) => (value === null ? 'No limit yet' : formatNumber(value))
  return (
    <>
      <Facts>
        <Fact label="Would be requested">
          {plan.planned.length > 0
            ? plan.planned.join('; ')
            : isLoaded
              ? 'Nothing'
              : 'Unknown, because the connector is not installed'}
        </Fact>
        <Fact label="Requests, at most">{most(plan.requests)}</Fact>
        <Fact label="MB, at most">{plan.bytes === null ? 'Not bounded yet' : megabytes(plan.bytes)}</Fact>
        <Fact label="Minutes, at most">{most(plan.minutes)}</Fact>
        <Fact label="Records, at most">{most(plan.records)}</Fact>
        <Fact label="Fields">{plan.fields.length === 0 ? 'None' : plan.fields.join(', ')}</Fact>
        <Fact label="Raw text is stored for">
          {plan.rawRetention === null ? 'Not set' : retentionName(plan.rawRetention)}
        </Fact>
      </Facts>
      {plan.stoppedBy.length === 0 ? (
        <p>This query can be sent.</p>
      ) : (
        <>
          <p>This query cannot be sent now:</p>
          <ul>
            {plan.stoppedBy.map(({ item, reason }) => (
              <li key={`${item} ${reason}`}>
                {itemName(item)}: {codeWords(reason)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
