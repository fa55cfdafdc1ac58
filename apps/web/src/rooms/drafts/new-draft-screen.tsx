import { type AssistSuggestion, type Business, createDraft } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DoNotContactBand } from '../../ui/prospects/do-not-contact-band.tsx'
import { Name } from '../../ui/text/name.tsx'
import { DraftForm } from './draft-form.tsx'
import { businessQuery, refreshDrafts, suggestionQuery } from './drafts.queries.ts'

/** Screen for a new draft for a prospect, empty or started from a suggestion. */
export function NewDraftScreen() {
  const { businessId = '', suggestionId } = useSearch({ from: '/desk/drafts/new' })
  return <NewDraft businessId={businessId} suggestionId={suggestionId} />
}

type Props = { businessId: string; suggestionId?: string | undefined }

export function NewDraft({ businessId, suggestionId }: Props) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const business = useQuery({ ...businessQuery(businessId), enabled: businessId !== '' })
  const suggestion = useQuery({
    ...suggestionQuery(suggestionId ?? ''),
    enabled: suggestionId !== undefined,
  })
  const form = (loaded: Business, started: AssistSuggestion | null) => (
    <DraftForm
      business={loaded}
      draft={null}
      suggestion={started}
      send={(body, key) =>
        dataOf(createDraft({ body: { businessId, suggestionId: started?.id ?? null, ...body }, ...withKey(key) }))
      }
      saved={(draft) => {
        void refreshDrafts(queryClient)
        void navigate({ to: '/drafts/$draftId', params: { draftId: draft.id } })
      }}
      close={() => void navigate({ to: '/drafts' })}
      reopen={() =>
        void navigate({
          to: '/drafts/new',
          search: { businessId, ...(suggestionId !== undefined && { suggestionId }) },
        })
      }
    />
  )
  return (
    <Page width="text" title="New draft" back={<BackLink to="/drafts">Drafts</BackLink>}>
      <RecordBody record={business} what="this prospect" lines={10} isPage={false}>
        {(loaded) =>
          loaded.doNotContact === null ? (
            <>
              <p>
                For <Name of={loaded.name} />. Nothing is sent from here. You copy an approved text by hand.
              </p>
              {suggestionId === undefined ? (
                form(loaded, null)
              ) : (
                <RecordBody record={suggestion} what="this suggestion" lines={6} isPage={false}>
                  {(started) =>
                    started.state === 'approved' && started.businessId === businessId ? (
                      form(loaded, started)
                    ) : (
                      <Empty title="This suggestion is not approved">
                        Use an approved suggestion about this prospect, or start a draft without a suggestion.
                      </Empty>
                    )
                  }
                </RecordBody>
              )}
            </>
          ) : (
            <Blocked business={loaded} />
          )
        }
      </RecordBody>
    </Page>
  )
}

/** Shown in place of the form for a prospect that is do not contact. Text that was typed before stays in its form draft. */
function Blocked({ business }: { business: Business }) {
  return (
    <>
      <DoNotContactBand business={business}> Nobody can write to this prospect.</DoNotContactBand>
      <p>
        For{' '}
        <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
          <Name of={business.name} />
        </Link>
      </p>
    </>
  )
}
