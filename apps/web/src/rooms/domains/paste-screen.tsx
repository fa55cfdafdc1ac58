import { Button, Textarea, TextInput } from '@mantine/core'
import {
  type DnsCard,
  type DnsStatus,
  type RecordDnsObservationData,
  readDnsText,
  recordDnsObservation,
} from '@prospect/api-client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NoPermission } from '../../ui/layout/states.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { kindWords, reasonWords, recordLines, statusWords } from './domain-words.ts'
import classes from './domains.module.css'
import { refreshDomains } from './domains.queries.ts'

export function PasteScreen() {
  if (!useCan('domains.record')) return <NoPermission isPage to="record DNS output" />
  return <Paste />
}

/** Reads pasted text while the user types. Each query in it becomes a card that is corrected and recorded separately. */
function Paste() {
  const [text, setText] = useState('')
  const asked = useDeferredValue(text)
  const reading = useQuery({
    queryKey: ['dns-reading', asked],
    queryFn: ({ signal }) => dataOf(readDnsText({ body: { text: asked }, signal })),
    enabled: asked.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  const lines = asked.split('\n')
  return (
    <Page
      title="Record DNS output"
      back={<BackLink to="/domains">Domains</BackLink>}
      lead="Paste the complete output of dig. It is recorded under your name; nothing is sent."
    >
      <Textarea
        label="Output of dig"
        description="Up to 16 KiB, also with several queries."
        autosize
        minRows={6}
        maxRows={20}
        maxLength={16_384}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={reading.isError ? sentenceOf(reading.error) : undefined}
      />
      <div role="status">
        {asked.trim() !== '' &&
          reading.data?.doubts.map(({ line, message }) => (
            <p key={line} className={classes.doubts}>
              Line {formatNumber(line)}: {localSentence(message)}
            </p>
          ))}
      </div>
      {asked.trim() !== '' && (
        <div className={classes.candidates}>
          {reading.data?.cards.map((card) => (
            <CardForm
              key={`${card.lines.from} ${JSON.stringify(card.observation)}`}
              card={card}
              raw={lines.slice(card.lines.from - 1, card.lines.to).join('\n')}
            />
          ))}
        </div>
      )}
    </Page>
  )
}

type Body = RecordDnsObservationData['body']
type Values = { name: string; kind: string; status: string; source: string; observedAt: string; errorReason: string }

function CardForm({ card, raw }: { card: DnsCard; raw: string }) {
  const queryClient = useQueryClient()
  const [recorded, setRecorded] = useState<string | null>(null)
  const { observation, doubts } = card
  const initial: Values = {
    name: observation.name,
    kind: observation.kind ?? '',
    status: observation.status ?? '',
    source: observation.source ?? '',
    observedAt: observation.observedAt ?? '',
    errorReason: observation.errorReason ?? '',
  }
  const save = useSaveForm({
    initial,
    validate: ({ name, kind, status, source, observedAt }) => ({
      ...(name.trim() === '' && { name: 'Enter the queried name.' }),
      ...(kind === '' && { kind: 'Choose a record type.' }),
      ...(status === '' && { status: 'Choose the answer.' }),
      ...(source.trim() === '' && { source: 'Enter the resolver.' }),
      ...(Number.isNaN(Date.parse(observedAt)) && { observedAt: 'Enter a time such as 2026-11-25T08:00:00Z.' }),
    }),
    send: (values, { key }) =>
      dataOf(
        recordDnsObservation({
          body: {
            name: values.name,
            kind: values.kind as Body['kind'],
            status: values.status as Body['status'],
            source: values.source,
            observedAt: values.observedAt,
            records: observation.records,
            ttl: observation.ttl,
            aliases: observation.aliases,
            isTruncated: observation.isTruncated,
            errorReason: values.errorReason === '' ? null : (values.errorReason as NonNullable<Body['errorReason']>),
            raw,
          },
          ...withKey(key),
        }),
      ),
    what: `the observation of ${observation.name}`,
    onSaved: async ({ domain }) => {
      setRecorded(domain)
      await refreshDomains(queryClient)
    },
  })
  const { form, isSaving, values } = save
  const title = `${observation.kind ?? 'A question'} of ${observation.name === '' ? 'an unknown name' : observation.name}`
  if (recorded !== null)
    return (
      <p role="status" className={classes.card}>
        {title} recorded.{' '}
        <Link to="/domains/about" search={{ domain: recorded }}>
          Open {recorded}
        </Link>
      </p>
    )
  return (
    <section className={classes.candidate} aria-label={title}>
      <h2 className={classes.part}>{title}</h2>
      {doubts.length > 0 && (
        <ul className={classes.doubts} aria-label="Doubts">
          {doubts.map(({ line, code, message }) => (
            <li key={`${line} ${code}`}>
              Line {formatNumber(line)}: {localSentence(message)}
            </li>
          ))}
        </ul>
      )}
      {observation.records.length > 0 && (
        <ul aria-label="Records">
          {recordLines(observation.records).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <SaveForm
        save={save}
        actions={
          <div className={classes.buttons}>
            <Button type="submit" loading={isSaving}>
              Record
            </Button>
          </div>
        }
      >
        <div className={classes.fields}>
          <TextInput label="Name" maxLength={1_000} {...form.getInputProps('name')} />
          <Select
            label="Kind"
            data={Object.entries(kindWords).map(([value, label]) => ({ value, label: `${label} (${value})` }))}
            {...form.getInputProps('kind')}
          />
          <Select label="Answer" data={recordable} {...form.getInputProps('status')} />
          {(values.status === 'blocked' || values.status === 'error') && (
            <Select
              label="Why"
              data={Object.entries(reasonWords).map(([value, label]) => ({ value, label }))}
              {...form.getInputProps('errorReason')}
            />
          )}
          <TextInput label="Resolver" maxLength={200} {...form.getInputProps('source')} />
          <TextInput label="Queried at" placeholder="2026-11-25T08:00:00Z" {...form.getInputProps('observedAt')} />
        </div>
      </SaveForm>
    </section>
  )
}

const recordable = (Object.entries(statusWords) as [DnsStatus, string][])
  .filter(([value]) => value !== 'not_checked' && value !== 'pending')
  .map(([value, label]) => ({ value, label }))
