import { useDebouncedValue } from '@mantine/hooks'
import { type Business, checkDraft, type Draft } from '@prospect/api-client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { ChecksList } from './checks-list.tsx'
import { RenderedText } from './draft-text.tsx'
import { bodyOf, type DraftBody, type DraftValues } from './draft-values.ts'
import classes from './drafts.module.css'

/** Delay of the checks after the last change. */
const SETTLED_MS = 500
const [about] = answersAbout('drafts')

type Props = { business: Business; draft: Draft | null; suggestionId: string | null; values: DraftValues }

/** Preview and checks of the typed text. Nothing is stored. */
export function LiveChecks({ business, draft, suggestionId, values }: Props) {
  const [text] = useDebouncedValue(JSON.stringify(bodyOf(values)), SETTLED_MS)
  const body: DraftBody = JSON.parse(text)
  const isComplete = body.text.trim() !== '' && body.recipient.value !== '' && /^[a-z]{2}$/.test(body.jurisdiction)
  const checked = useQuery(
    queryOptions({
      queryKey: [{ ...about, unsaved: text, businessId: business.id, suggestionId }],
      queryFn: ({ signal }) =>
        dataOf(
          checkDraft({
            body: {
              ...body,
              title: body.title.trim() === '' ? 'Untitled' : body.title,
              businessId: business.id,
              ...(draft === null ? { suggestionId } : { draftId: draft.id }),
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
      {!isComplete && <p className={classes.soft}>Enter a recipient, a country and a text to see the checks.</p>}
      {isComplete && checked.isError && (
        <p role="status">The checks could not run. You can still save the draft if its fields are valid.</p>
      )}
      {isComplete && checked.data !== undefined && (
        <>
          <RenderedText rendered={checked.data.rendered} />
          <ChecksList
            // Unsaved text has no approval, so omit that check.
            checks={checked.data.checks.filter(({ key }) => key !== 'approval')}
            businessId={business.id}
          />
        </>
      )}
    </section>
  )
}
