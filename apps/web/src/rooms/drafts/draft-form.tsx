import { Button, Textarea, TextInput } from '@mantine/core'
import type { AssistSuggestion, Business, Draft } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSession } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { CancelButton } from '../../ui/forms/cancel-button.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { usePeopleOptions, usePersonName } from '../../ui/prospects/assignees.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { DraftCitationFields } from './draft-citation-fields.tsx'
import { DraftInserts } from './draft-inserts.tsx'
import { OriginLabel } from './draft-text.tsx'
import {
  bodyOf,
  channelOf,
  citationLines,
  type DraftBody,
  type DraftValues,
  initialValues,
  recipientOptions,
  recipientsOf,
} from './draft-values.ts'
import { channelWords, optionsOf, purposeWords } from './draft-words.ts'
import classes from './drafts.module.css'
import { refreshDrafts } from './drafts.queries.ts'
import { LawSelect } from './law-select.tsx'
import { LiveChecks } from './live-checks.tsx'

type Props = {
  business: Business
  /** null for a new draft. */
  draft: Draft | null
  /** Approved suggestion from which a new draft starts. */
  suggestion?: AssistSuggestion | null
  send: (body: DraftBody, key: string) => Promise<Draft>
  saved: (draft: Draft) => void
  close: () => void
  /** Opens the form again after Undo. */
  reopen: () => void
}

/** Editor of a draft: fields, a menu to insert merge fields and evidence, and checks and preview of the typed text. */
export function DraftForm({ business, draft, suggestion = null, send, saved, close, reopen }: Props) {
  const { user } = useSession()
  const caret = useRef<number | null>(null)
  const queryClient = useQueryClient()
  const author = draft?.assignee ?? { id: user.id, name: user.name }
  const people = usePeopleOptions(author)
  const nameOf = usePersonName(author)
  const save = useSaveForm<DraftValues, Draft>({
    initial: initialValues({ business, draft, suggestion, userId: user.id }),
    ...(draft !== null && {
      edits: {
        reload: () => refreshDrafts(queryClient),
        // A marker in the text without its citation, or the other way round, would be another statement.
        together: [['text', 'citations', 'acknowledgements', 'noCitationReason']],
        labels: {
          acknowledgements: 'acknowledgements',
          citations: 'citations',
          noCitationReason: 'reason for no citation',
        },
        lines: {
          assigneeId: (id: string) => [nameOf(id)],
          channel: (channel: Draft['channel']) => [channelWords[channel]],
          purpose: (purpose: Draft['purpose']) => [purposeWords[purpose]],
          citations: citationLines,
          acknowledgements: (stated: DraftValues['acknowledgements']) => stated.map(({ reason }) => reason),
        },
      },
    }),
    validate: ({ title, text, recipient, jurisdiction }): FieldErrors => ({
      ...(title.trim() === '' && { title: 'Enter a title.' }),
      ...(text.trim() === '' && { text: 'Enter some text.' }),
      ...(recipient.trim() === '' && { recipient: 'Choose a recipient.' }),
      ...(!/^[a-z]{2}$/.test(jurisdiction) && { jurisdiction: 'Choose the country.' }),
    }),
    send: (values, { key }) => send(bodyOf(values), key),
    onSaved: saved,
    what: 'the draft',
    fieldOf: (path) => (path.startsWith('recipient') ? 'recipient' : path.startsWith('citations') ? 'text' : path),
    draft: { name: `draft-${draft?.id ?? `new-${business.id}-${suggestion?.id ?? ''}`}` },
  })
  const { form, values } = save
  const recipients = recipientsOf(business, values.channel)
  const isListed = recipients.includes(values.recipient) || values.recipient === ''
  return (
    <>
      <OriginLabel label={draft?.label ?? suggestion?.label ?? null} />
      <SaveForm
        save={save}
        className={classes.form}
        aria-label="Draft"
        actions={
          <div className={classes.actions}>
            <Button type="submit" loading={save.isSaving}>
              Save draft
            </Button>
            <CancelButton save={save} close={close} reopen={reopen} disabled={save.isSaving} />
          </div>
        }
      >
        <TextInput label="Title" maxLength={200} required data-first {...form.getInputProps('title')} />
        <Select
          label="Assignee"
          description="Signs the message"
          data={people}
          searchable
          nothingFoundMessage="No such person in this workspace"
          {...form.getInputProps('assigneeId')}
        />
        <div className={classes.actions}>
          <Select
            label="Channel"
            data={optionsOf(channelWords)}
            {...form.getInputProps('channel')}
            onChange={(channel) => channel !== null && save.set(channelOf(business, channel, values))}
          />
          <Select label="Purpose" data={optionsOf(purposeWords)} {...form.getInputProps('purpose')} />
          <LawSelect {...form.getInputProps('jurisdiction')} />
          <TextInput label="Language" maxLength={6} required {...form.getInputProps('language')} />
        </div>
        <Select
          id="draft-recipient"
          label="Recipient"
          description="A value of the record"
          data={recipientOptions(isListed ? recipients : [values.recipient, ...recipients])}
          required
          {...form.getInputProps('recipient')}
        />
        {values.channel === 'email' && (
          <TextInput id="draft-subject" label="Subject" maxLength={200} {...form.getInputProps('subject')} />
        )}
        <DraftInserts business={business} save={save} caret={caret} />
        <Textarea
          id="draft-text"
          label="Text"
          description={`${formatNumber(values.text.length)} of ${countWords(values.channel === 'sms' ? 480 : 5_000, 'character', 'characters')}`}
          autosize
          minRows={6}
          maxLength={5_000}
          required
          {...form.getInputProps('text')}
          onBlur={({ currentTarget }) => {
            caret.current = currentTarget.selectionEnd
          }}
        />
        <DraftCitationFields business={business} save={save} />
      </SaveForm>
      <LiveChecks business={business} draft={draft} suggestionId={suggestion?.id ?? null} values={values} />
    </>
  )
}
