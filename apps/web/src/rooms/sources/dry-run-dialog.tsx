import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { planSourceQuery, type Source, type SourceDryRun } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { codeWords, itemName, valueWords } from './source-words.ts'
import classes from './sources.module.css'
import { refreshSources } from './sources.queries.ts'

/** Plans a query without sending it. */
export function DryRunDialog({ source, close }: { source: Source; close: () => void }) {
  const queryClient = useQueryClient()
  const { scope } = source.contract
  const [businessId, setBusinessId] = useState('')
  const [fields, setFields] = useState((scope?.fields ?? ['name']).join(', '))
  const [maxRecords, setMaxRecords] = useState<number | string>(scope?.maxRecords ?? 10)
  const listOf = (typed: string) => typed.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
  const plan = useMutation({
    meta: { notDone: 'plan the query' },
    mutationFn: () => {
      const about = businessId.trim() === '' ? {} : { businessId: businessId.trim() }
      const query = {
        ...about,
        fields: listOf(fields),
        provinces: scope?.provinces ?? [],
        maxRecords: Number(maxRecords),
      }
      return dataOf(planSourceQuery({ path: { sourceId: source.id }, body: { query }, ...withKey(newKey()) }))
    },
    onSuccess: () => void refreshSources(queryClient),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!plan.isPending) plan.mutate()
  }
  return (
    <Dialog onClose={close} title="Plan a query" size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <p className={classes.meta}>Nothing is sent, and the adapter is not started.</p>
          <TextInput
            label="Prospect"
            description="Its identifier, as its address ends; an adapter that is loaded asks for one"
            value={businessId}
            onChange={(event) => setBusinessId(event.currentTarget.value)}
          />
          <TextInput
            label="Fields"
            description="Separated by commas"
            value={fields}
            onChange={(event) => setFields(event.currentTarget.value)}
          />
          <NumberInput label="Records" min={1} max={1_000} value={maxRecords} onChange={setMaxRecords} />
          {plan.error !== null && (
            <p role="alert" className="pp-refusal">
              {sentenceOf(plan.error)}
            </p>
          )}
          <div role="status">{plan.data !== undefined && <Plan plan={plan.data} />}</div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button type="submit" loading={plan.isPending}>
              Plan
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Plan({ plan }: { plan: SourceDryRun }) {
  const most = (value: number | null) => (value === null ? 'Not bounded yet' : formatNumber(value))
  return (
    <>
      <dl className={classes.facts}>
        <dt>Would be requested</dt>
        <dd>{plan.planned.length === 0 ? 'Not known while the adapter is not loaded' : plan.planned.join('; ')}</dd>
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
        <p>Nothing prevents this query.</p>
      ) : (
        <>
          <p>This query could not be sent now:</p>
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
