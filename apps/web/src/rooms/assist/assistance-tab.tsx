import { Button, Checkbox } from '@mantine/core'
import {
  type AssistPreview,
  type AssistSuggestion,
  type Business,
  previewSuggestion,
  requestSuggestion,
} from '@prospect/api-client'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { isSame } from '../../ui/forms/changed-fields.ts'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './assist.module.css'
import { choosableQuery, refreshAssist, statusQuery, suggestionsQuery } from './assist.queries.ts'
import { MOST_EVIDENCE, purposeWords, withheldWords } from './assist-words.ts'
import { MissingItems } from './status-items.tsx'
import { SuggestionItem } from './suggestion-item.tsx'

type Purpose = AssistSuggestion['purpose']

/** Tab to choose evidence, preview the request, and read suggestions beside their quotes. */
export function AssistanceTab({ business }: { business: Business }) {
  if (!useCan('assist.read')) return <NoPermission what="assistance" />
  return (
    <div className={classes.tab}>
      <Request business={business} />
      <Suggestions business={business} />
    </div>
  )
}

function Request({ business }: { business: Business }) {
  const status = useQuery(statusQuery)
  const canRequest = useCanWork('assist.request', business)
  if (status.data === undefined) return <NotLoaded read={status} what="the status of assistance" lines={3} />
  const { enabled, items } = status.data
  return (
    <section aria-labelledby="assist-request">
      <h2 id="assist-request" className={classes.part}>
        Request a suggestion
      </h2>
      {!enabled && (
        <>
          <p>
            <strong>Disabled.</strong> Nothing is sent. The brief summarises this record without AI.
          </p>
          <MissingItems items={items} />
        </>
      )}
      {enabled && business.doNotContact !== null && (
        <p>AI assistance is not available for a prospect that is marked do not contact.</p>
      )}
      {enabled && canRequest && business.doNotContact === null && <Choose businessId={business.id} />}
    </section>
  )
}

function Choose({ businessId }: { businessId: string }) {
  const queryClient = useQueryClient()
  const list = useInfiniteQuery(choosableQuery(businessId))
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [purpose, setPurpose] = useState<Purpose>('prospect_summary')
  const shown = list.data?.items.filter(({ supersededById }) => supersededById === null) ?? []
  // Only what the person sees is sent: an observation that was superseded meanwhile is no longer listed.
  const chosen = ticked.filter((id) => shown.some((one) => one.id === id))
  const dropped = ticked.length - chosen.length
  const isFull = chosen.length >= MOST_EVIDENCE
  const selection = { businessId, purpose, evidenceIds: chosen }
  const preview = useMutation({
    meta: { notDone: 'the preview' },
    mutationFn: (body: typeof selection) => dataOf(previewSuggestion({ body })),
  })
  const isCurrent = isSame(preview.variables, selection)
  const request = useMutation({
    meta: { notDone: 'the request' },
    mutationFn: (contentHash: string) =>
      dataOf(requestSuggestion({ body: { ...selection, contentHash }, ...withKey(newKey()) })),
    onSuccess: () => {
      preview.reset()
      setTicked([])
      return refreshAssist(queryClient)
    },
  })
  const choose = (id: string, isChosen: boolean) => {
    preview.reset()
    setTicked(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))
  }
  const failed = preview.error ?? request.error
  return (
    <>
      <Select
        label="Purpose"
        data={Object.entries(purposeWords).map(([value, label]) => ({ value: value as Purpose, label }))}
        value={purpose}
        onChange={(value) => {
          preview.reset()
          if (value !== null) setPurpose(value)
        }}
      />
      <ListBody
        list={list}
        data={list.data}
        noun="observations"
        lines={4}
        empty={<Empty title="No evidence yet">A suggestion needs evidence of this prospect. Add evidence first.</Empty>}
      >
        {() => (
          <fieldset className={classes.choices}>
            <legend>
              Evidence: {formatNumber(chosen.length)} of at most{' '}
              {countWords(MOST_EVIDENCE, 'observation', 'observations')}
            </legend>
            {shown.map(({ id, field, value, observation }) => (
              <Checkbox
                key={id}
                checked={chosen.includes(id)}
                disabled={isFull && !chosen.includes(id)}
                onChange={({ currentTarget: { checked } }) => choose(id, checked)}
                label={nameText(field === null ? (observation ?? '') : `${fieldName(field)}: ${value ?? ''}`)}
              />
            ))}
          </fieldset>
        )}
      </ListBody>
      <p role="status" className={classes.meta}>
        {dropped > 0 &&
          `${countWords(dropped, 'observation that you chose is', 'observations that you chose are')} no longer listed, so not sent.`}
        {isFull &&
          ` At most ${countWords(MOST_EVIDENCE, 'observation', 'observations')} can be sent. Clear one observation to choose another.`}
      </p>
      <div className={classes.actions}>
        <Button
          variant="default"
          disabled={chosen.length === 0}
          loading={preview.isPending}
          onClick={() => preview.mutate(selection)}
        >
          Preview what will be sent
        </Button>
      </div>
      {failed !== null && <p className={classes.warning}>{sentenceOf(failed)}</p>}
      {preview.data !== undefined && isCurrent && (
        <PreviewBox
          preview={preview.data}
          isSending={request.isPending}
          send={(contentHash) => request.mutate(contentHash)}
        />
      )}
    </>
  )
}

type PreviewProps = { preview: AssistPreview; isSending: boolean; send: (contentHash: string) => void }

function PreviewBox({ preview, isSending, send }: PreviewProps) {
  const { content, contentHash, bytes, redactions, withheld, reservation, blocked } = preview
  const removed = redactions.reduce((sum, { count }) => sum + count, 0)
  const reasons = Object.entries(withheldWords)
    .map(([reason, words]) => ({ words, count: withheld.filter((one) => one.reason === reason).length }))
    .filter(({ count }) => count > 0)
  return (
    <section className={classes.preview} aria-label="Preview">
      {blocked !== null && <p className={classes.warning}>{localSentence(blocked.detail)}</p>}
      <p>
        {countWords(bytes, 'byte', 'bytes')}. {countWords(removed, 'value', 'values')} hidden.{' '}
        {countWords(withheld.length, 'observation', 'observations')} left out. The request costs at most{' '}
        {countWords(reservation.tokens, 'token', 'tokens')} and {countWords(reservation.cost, 'cent', 'cents')}.
      </p>
      {reasons.map(({ words, count }) => (
        <p key={words}>
          {countWords(count, 'observation is', 'observations are')} left out because {words}.
        </p>
      ))}
      {content !== null && contentHash !== null && (
        <>
          <details>
            <summary>See what is sent</summary>
            <pre className={classes.bytes}>
              <Name of={content} />
            </pre>
          </details>
          <Button loading={isSending} onClick={() => send(contentHash)}>
            Request suggestion
          </Button>
        </>
      )}
    </section>
  )
}

function Suggestions({ business }: { business: Business }) {
  const list = useInfiniteQuery(suggestionsQuery({ businessId: business.id }))
  return (
    <section aria-labelledby="assist-suggestions">
      <h2 id="assist-suggestions" className={classes.part}>
        Suggestions
      </h2>
      <ListBody
        list={list}
        data={list.data}
        noun="suggestions"
        lines={4}
        empty={<Empty title="No suggestions yet">A person reviews each suggestion before use.</Empty>}
      >
        {(suggestions) => (
          <ol className={classes.rows} aria-label="Suggestions, newest first">
            {suggestions.map((suggestion) => (
              <SuggestionItem key={suggestion.id} suggestion={suggestion} business={business} />
            ))}
          </ol>
        )}
      </ListBody>
    </section>
  )
}
