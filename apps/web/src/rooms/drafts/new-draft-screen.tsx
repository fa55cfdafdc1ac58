import { createDraft } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NoPermission } from '../../ui/layout/states.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { Name } from '../../ui/text/name.tsx'
import { DraftForm } from './draft-form.tsx'
import { parseNewDraftSearch } from './draft-search.ts'
import { businessQuery, refreshDrafts } from './drafts.queries.ts'

/** A new draft for one prospect. */
export function NewDraftScreen() {
  const { businessId = '' } = useSearch({ from: '/desk/drafts/new', select: parseNewDraftSearch })
  const canWrite = useCan('drafts.write')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const business = useQuery({ ...businessQuery(businessId), enabled: canWrite && businessId !== '' })
  if (!canWrite) return <NoPermission isPage what="new drafts" />
  return (
    <Page width="text" title="New draft" back={<BackLink to="/drafts">Drafts</BackLink>}>
      <RecordBody record={business} what="this prospect" lines={10} isPage={false}>
        {(loaded) => (
          <>
            <p>
              For <Name of={loaded.name} />. Nothing is sent: an approved text is copied by hand.
            </p>
            <DraftForm
              business={loaded}
              draft={null}
              send={(body, key) => dataOf(createDraft({ body: { businessId, ...body }, ...withKey(key) }))}
              saved={(draft) => {
                void refreshDrafts(queryClient)
                void navigate({ to: '/drafts/$draftId', params: { draftId: draft.id } })
              }}
              close={() => void navigate({ to: '/drafts' })}
            />
          </>
        )}
      </RecordBody>
    </Page>
  )
}
