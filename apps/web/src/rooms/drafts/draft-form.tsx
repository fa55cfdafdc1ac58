import { Button, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type Business, type CreateDraftData, checkDraft, type Draft } from '@prospect/api-client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { Select } from '../../ui/fields/select.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, type SaveForm as SaveFormState, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { ChecksList } from './checks-list.tsx'
import { RenderedText } from './draft-text.tsx'
import { channelWords, jurisdictionOf, optionsOf, purposeWords } from './draft-words.ts'
import classes from './drafts.module.css'
import { evidenceToCite, templatesQuery } from './drafts.queries.ts'

type Body = CreateDraftData['body']
type Citation = NonNullable<Body['citations']>[number]
type Acknowledgements = NonNullable<Body['acknowledgements']>
type Content = Omit<Body, 'businessId' | 'assigneeId' | 'templateId' | 'citations' | 'acknowledgements'> & {
  citations: Citation[]
  acknowledgements: Acknowledgements
}
type Values = {
  title: string
  jurisdiction: string
  channel: Draft['channel']
  purpose: Draft['purpose']
  language: string
  recipient: string
  subject: string
  text: string
  citations: Citation[]
  noCitationReason: string
  acknowledgements: Acknowledgements
}

const recipientKinds = { email: 'email', sms: 'phone', letter: 'address', call_script: 'phone' } as const
const mergeFields = [
  'business.name',
  'business.tradingName',
  'business.industry',
  'business.domain',
  'business.street',
  'business.suburb',
  'business.city',
  'business.province',
  'sender.name',
  'sender.workspace',
  'sender.optOut',
]

/** The recipients that the record has for a channel. */
function recipientsOf({ emails, phones, address }: Business, channel: Draft['channel']): string[] {
  const kind = recipientKinds[channel]
  if (kind === 'email') return emails.map(({ value }) => value)
  if (kind === 'phone') return phones.map(({ value }) => value)
  const { street, suburb, city, province, postalCode, country } = address
  const line = [street, suburb, city, province, postalCode, country].filter((part) => part !== null).join(', ')
  return line === '' ? [] : [line]
}

function initialOf(business: Business, draft: Draft | null): Values {
  return {
    title: draft?.title ?? '',
    jurisdiction: draft?.jurisdiction ?? jurisdictionOf(business.address.country),
    channel: draft?.channel ?? 'email',
    purpose: draft?.purpose ?? 'introduction',
    language: draft?.language ?? 'en',
    recipient: draft?.recipient.value ?? recipientsOf(business, 'email')[0] ?? '',
    subject: draft?.subject ?? '',
    text: draft?.text ?? '',
    citations: draft?.citations.map(({ evidenceHash: _hash, ...citation }) => citation) ?? [],
    noCitationReason: draft?.noCitationReason ?? '',
    acknowledgements: draft?.acknowledgements ?? [],
  }
}

/** The content as the API takes it. Citations whose marker was deleted from the text are left out. */
function bodyOf(values: Values): Content {
  const { recipient, subject, noCitationReason, channel, ...rest } = values
  return {
    ...rest,
    channel,
    recipient: { kind: recipientKinds[channel], value: recipient },
    subject: channel === 'email' && subject.trim() !== '' ? subject : null,
    noCitationReason: noCitationReason.trim() === '' ? null : noCitationReason,
    citations: values.citations.filter(({ marker }) => `${values.subject} ${values.text}`.includes(`[^${marker}]`)),
  }
}

type Props = {
  business: Business
  /** null: a new one */
  draft: Draft | null
  send: (body: Content, key: string) => Promise<Draft>
  saved: (draft: Draft) => void
  close: () => void
}

/** The editor: fields, the menu of merge fields and evidence, and the checks and the preview as they are typed. */
export function DraftForm({ business, draft, send, saved, close }: Props) {
  const save = useSaveForm<Values, Draft>({
    initial: initialOf(business, draft),
    validate: ({ title, text, recipient, jurisdiction }): FieldErrors => ({
      ...(title.trim() === '' && { title: 'Enter a title.' }),
      ...(text.trim() === '' && { text: 'Enter some text.' }),
      ...(recipient.trim() === '' && { recipient: 'Choose a recipient.' }),
      ...(!/^[a-z]{2}$/.test(jurisdiction) && { jurisdiction: 'Enter two letters, such as za or eu.' }),
    }),
    send: (values, { key }) => send(bodyOf(values), key),
    onSaved: saved,
    what: 'the draft',
    fieldOf: (path) => (path.startsWith('recipient') ? 'recipient' : path.startsWith('citations') ? 'text' : path),
    draft: { name: `draft-${draft?.id ?? `new-${business.id}`}` },
  })
  const { form, values } = save
  const recipients = recipientsOf(business, values.channel)
  return (
    <>
      <SaveForm
        save={save}
        className={classes.form}
        aria-label="Draft"
        actions={
          <div className={classes.actions}>
            <Button type="submit" loading={save.isSaving}>
              Save draft
            </Button>
            <Button variant="default" onClick={close} disabled={save.isSaving}>
              Cancel
            </Button>
          </div>
        }
      >
        <TextInput label="Title" maxLength={200} required data-first {...form.getInputProps('title')} />
        <div className={classes.actions}>
          <Select label="Channel" data={optionsOf(channelWords)} {...form.getInputProps('channel')} />
          <Select label="Purpose" data={optionsOf(purposeWords)} {...form.getInputProps('purpose')} />
          <TextInput label="Jurisdiction" maxLength={2} required {...form.getInputProps('jurisdiction')} />
          <TextInput label="Language" maxLength={6} required {...form.getInputProps('language')} />
        </div>
        <Select
          id="draft-recipient"
          label="Recipient"
          description="A value of the record"
          data={
            recipients.includes(values.recipient) || values.recipient === ''
              ? recipients
              : [values.recipient, ...recipients]
          }
          required
          {...form.getInputProps('recipient')}
        />
        {values.channel === 'email' && (
          <TextInput id="draft-subject" label="Subject" maxLength={200} {...form.getInputProps('subject')} />
        )}
        <Inserts business={business} save={save} />
        <Textarea
          id="draft-text"
          label="Text"
          description={`${values.text.length.toLocaleString('en')} of ${values.channel === 'sms' ? '480' : '5,000'} characters`}
          autosize
          minRows={6}
          maxLength={5_000}
          required
          {...form.getInputProps('text')}
        />
        {values.citations.map(({ marker, quote }, at) => (
          <TextInput
            key={marker}
            label={`Quote of [^${marker}]`}
            description="Optional: a part of the observation, exactly as it stands there"
            maxLength={1_000}
            value={quote ?? ''}
            onChange={(event) =>
              save.set({
                citations: values.citations.with(at, {
                  ...(values.citations[at] ?? { marker, evidenceId: '' }),
                  quote: event.currentTarget.value === '' ? null : event.currentTarget.value,
                }),
              })
            }
          />
        ))}
        {values.citations.length === 0 && (
          <TextInput
            id="draft-noCitationReason"
            label="Reason for no citation"
            description="Only where the text cites nothing"
            maxLength={1_000}
            {...form.getInputProps('noCitationReason')}
          />
        )}
      </SaveForm>
      <LiveChecks business={business} draft={draft} values={values} />
    </>
  )
}

/** Inserts at the end of the text: a merge field, an observation with its marker, or a template. */
function Inserts({ business, save }: { business: Business; save: SaveFormState<Values> }) {
  const { values, set } = save
  const evidence = useQuery(evidenceToCite(business.id))
  const templates = useQuery(templatesQuery)
  const append = (piece: string) => `${values.text}${values.text === '' || /\s$/.test(values.text) ? '' : ' '}${piece}`
  const cite = (evidenceId: string) => {
    const marker = Math.max(0, ...values.citations.map((one) => one.marker)) + 1
    set({ text: append(`[^${marker}]`), citations: [...values.citations, { marker, evidenceId }] })
  }
  const use = (id: string) => {
    const template = templates.data?.items.find((one) => one.id === id)
    if (template === undefined) return
    const { channel, purpose, language, subject, text } = template
    set({ channel, purpose, language, subject: subject ?? '', text })
  }
  return (
    <div className={classes.actions}>
      <Select
        label="Insert a field"
        placeholder="Choose"
        data={mergeFields}
        value={null}
        onChange={(field) => field !== null && set({ text: append(`{{${field}}}`) })}
      />
      <Select
        label="Cite evidence"
        placeholder="Choose"
        data={(evidence.data?.items ?? [])
          .filter(({ supersededById }) => supersededById === null)
          .map(({ id, field, value, observation }) => ({
            value: id,
            label: `${field === null ? '' : `${field}: ${value ?? ''} `}${observation ?? ''}`.slice(0, 80),
          }))}
        value={null}
        onChange={(id) => id !== null && cite(id)}
      />
      {(templates.data?.items.length ?? 0) > 0 && values.text === '' && (
        <Select
          label="Begin with a template"
          placeholder="Choose"
          data={templates.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={null}
          onChange={(id) => id !== null && use(id)}
        />
      )}
    </div>
  )
}

/** The checks run so long after the last change. */
const SETTLED_MS = 500
const [about] = answersAbout('drafts')

function LiveChecks({ business, draft, values }: { business: Business; draft: Draft | null; values: Values }) {
  const [text] = useDebouncedValue(JSON.stringify(bodyOf(values)), SETTLED_MS)
  const body: Content = JSON.parse(text)
  const isComplete = body.text.trim() !== '' && body.recipient.value !== '' && /^[a-z]{2}$/.test(body.jurisdiction)
  const checked = useQuery(
    queryOptions({
      queryKey: [{ ...about, unsaved: text, businessId: business.id }],
      queryFn: ({ signal }) =>
        dataOf(
          checkDraft({
            body: {
              ...body,
              title: body.title.trim() === '' ? 'Untitled' : body.title,
              businessId: business.id,
              ...(draft === null ? {} : { draftId: draft.id }),
            },
            signal,
          }),
        ),
      enabled: isComplete,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  )
  return (
    <section aria-labelledby="draft-checks">
      <h2 id="draft-checks" className={classes.part}>
        Preview and checks
      </h2>
      {!isComplete && <p className={classes.soft}>Enter recipient, jurisdiction and text to see the checks.</p>}
      {isComplete && checked.isError && (
        <p role="status">The checks could not run. The draft can still be saved, if its fields are valid.</p>
      )}
      {isComplete && checked.data !== undefined && (
        <>
          <RenderedText rendered={checked.data.rendered} />
          <ChecksList
            checks={checked.data.checks}
            goTo={(field) => document.getElementById(`draft-${field}`)?.focus()}
          />
        </>
      )}
    </section>
  )
}
