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
import { useDeferredValue, useRef, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import type { Attempt, AttemptStore } from '../../ui/forms/use-idempotency-key.ts'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { instantOf } from '../../ui/text/day.ts'
import { notATime } from '../../ui/text/day-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { localTime } from '../../ui/text/zone-time.ts'
import { kindWords, reasonWords, statusWords } from './domain-words.ts'
import classes from './domains.module.css'
import { refreshDomains } from './domains.queries.ts'
import { pastedCards } from './pasted-cards.ts'
import { ReadOnlyCard } from './read-only-card.tsx'
import { RecordList } from './record-list.tsx'

/** Reads pasted text while the user types. Each query in it becomes a card that is corrected and recorded separately. */
export function PasteScreen() {
  const [text, setText] = useState('')
  const [recorded, setRecorded] = useState<ReadonlyMap<string, string>>(new Map())
  const attempts = useAttempts()
  const forms = useRef<HTMLDivElement>(null)
  const asked = useDeferredValue(text)
  const reading = useQuery({
    queryKey: ['dns-reading', asked],
    // The answer keeps its text: while the next text is read, its line numbers are still those of this one.
    queryFn: async ({ signal }) => ({ text: asked, ...(await dataOf(readDnsText({ body: { text: asked }, signal }))) }),
    enabled: asked.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  const cards = asked.trim() === '' || reading.data === undefined ? [] : pastedCards(reading.data)
  const open = cards.filter(({ recordKey, card }) => card.readOnly === null && !recorded.has(recordKey)).length
  // Each card validates and saves itself, so a card with an error shows it and the others are recorded.
  const recordAll = () => {
    for (const form of forms.current?.querySelectorAll('form') ?? []) form.requestSubmit()
  }
  return (
    <Page
      title="Paste DNS results"
      back={<BackLink to="/domains">Domains</BackLink>}
      lead="Paste the complete output of the command dig. The result is stored under your name, and nothing is sent."
    >
      <Textarea
        label="Output of dig"
        description="Up to 16 000 characters, also with several queries."
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
      {open > 1 && (
        <div className={classes.buttons}>
          <Button onClick={recordAll}>Record all {formatNumber(open)}</Button>
        </div>
      )}
      {cards.length > 0 && (
        <div ref={forms} className={classes.candidates}>
          {cards.map(({ key, recordKey, content, card, raw }) => (
            <CardForm
              key={key}
              card={card}
              raw={raw}
              recorded={recorded.get(recordKey) ?? null}
              setRecorded={(domain) => setRecorded((before) => new Map(before).set(recordKey, domain))}
              attempts={attempts(content)}
              isOnly={open === 1}
            />
          ))}
        </div>
      )}
    </Page>
  )
}

/** The last attempt to record each content, which outlives its card: content that disappears and returns is recorded under the same key. */
function useAttempts(): (content: string) => AttemptStore {
  const [known] = useState(() => new Map<string, Attempt>())
  return (content) => ({
    last: () => known.get(content) ?? null,
    keep: (attempt) => void known.set(content, attempt),
    forget: () => void known.delete(content),
  })
}

type Body = RecordDnsObservationData['body']
type Values = { name: string; kind: string; status: string; source: string; observedAt: string; errorReason: string }
type CardProps = {
  card: DnsCard
  /** The lines of the card. */
  raw: string
  /** Domain under which it was recorded. */
  recorded: string | null
  setRecorded: (domain: string) => void
  attempts: AttemptStore
  /** True if no other card can be recorded: its button is then the main one of the page. */
  isOnly: boolean
}

function CardForm({ card, raw, recorded, setRecorded, attempts, isOnly }: CardProps) {
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  const { observation, doubts } = card
  const initial: Values = {
    name: observation.name,
    kind: observation.kind ?? '',
    status: observation.status ?? '',
    source: observation.source ?? '',
    observedAt: observation.observedAt === null ? '' : localTime(observation.observedAt, timeZone),
    errorReason: observation.errorReason ?? '',
  }
  const observedAtOf = (typed: string) => instantOf(typed, timeZone, observation.observedAt)
  const save = useSaveForm({
    initial,
    validate: ({ name, kind, status, source, observedAt }) => ({
      ...(name.trim() === '' && { name: 'Enter the queried name.' }),
      ...(kind === '' && { kind: 'Choose a record type.' }),
      ...(status === '' && { status: 'Choose the answer.' }),
      ...(source.trim() === '' && { source: 'Enter the resolver.' }),
      ...(observedAtOf(observedAt) === null && { observedAt: notATime(observedAt) }),
    }),
    payloadOf: (values) => ({ values, observation }),
    attempts,
    send: (values, { key, at }) =>
      dataOf(
        recordDnsObservation({
          body: {
            name: values.name,
            kind: values.kind as Body['kind'],
            status: values.status as Body['status'],
            source: values.source,
            observedAt: observedAtOf(values.observedAt) ?? at,
            records: observation.records,
            ttl: observation.ttl,
            aliases: observation.aliases,
            isTruncated: observation.isTruncated,
            isPartial: observation.isPartial && values.status === 'resolved',
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
  const title = `${observation.kind ?? card.readOnly?.kind ?? 'A question'} of ${observation.name === '' ? 'an unknown name' : observation.name}`
  if (recorded !== null)
    return (
      <p role="status" className={classes.card}>
        {title} recorded.{' '}
        <Link to="/domains/about" search={{ domain: recorded }}>
          Open {recorded}
        </Link>
      </p>
    )
  if (card.readOnly !== null) return <ReadOnlyCard title={title} doubts={doubts} answer={card.readOnly} />
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
      <RecordList of={observation.records} />
      <SaveForm
        save={save}
        actions={
          <div className={classes.buttons}>
            <Button type="submit" variant={isOnly ? 'filled' : 'default'} loading={isSaving}>
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
          <TypedTime
            of="time"
            direction="past"
            label="Queried at"
            description={timeZone}
            {...form.getInputProps('observedAt')}
          />
        </div>
      </SaveForm>
    </section>
  )
}

const recordable = (Object.entries(statusWords) as [DnsStatus, string][])
  .filter(([value]) => value !== 'not_checked' && value !== 'pending')
  .map(([value, label]) => ({ value, label }))
