import { type EditSubjectRequestData, editSubjectRequest, type SubjectRequest } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { changedFields } from '../../ui/forms/changed-fields.ts'
import { recordName } from '../../ui/prospects/record-keys.ts'
import { nameText } from '../../ui/text/name-text.ts'
import {
  isSensitive,
  missingRequester,
  RequestFields,
  type RequestValues,
  requesterOf,
  requestFieldOf,
  restOf,
} from './request-fields.tsx'
import { refreshRequests } from './requests.queries.ts'

type Props = { request: SubjectRequest; close: () => void; reopen: () => void }

const valuesOf = ({ requester, identityCheck, business }: SubjectRequest): RequestValues => ({
  name: requester.name,
  contact: requester.contact ?? '',
  identityCheck: identityCheck ?? '',
  businessId: business?.id ?? '',
})

/** Changes the person, the check of the identity, or the prospect of an open request. */
export function EditRequestDialog({ request, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const current = valuesOf(request)
  const { business } = request
  const prospectName = (id: string) => {
    if (id === '') return []
    return [id === business?.id ? nameText(business.name) : recordName(queryClient, id)]
  }
  return (
    <FormDialog<RequestValues, SubjectRequest | null>
      title="Edit the request"
      submitLabel="Save"
      what="the request"
      initial={current}
      edits={{
        reload: () => refreshRequests(queryClient),
        labels: {
          name: 'Who asks',
          contact: 'Contact for the answer',
          identityCheck: 'How you checked who the person is',
          businessId: 'Prospect',
        },
        lines: { businessId: prospectName },
      }}
      validate={missingRequester}
      fieldOf={requestFieldOf}
      send={async (values) => {
        const body = patchOf(current, values)
        if (Object.keys(body).length === 0) return null
        return dataOf(editSubjectRequest({ path: { requestId: request.id }, body, ...ifMatch(request.version) }))
      }}
      onSaved={() => {
        void refreshRequests(queryClient)
        close()
      }}
      draft={{ name: `subject-request-${request.id}`, isSensitive }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => <RequestFields form={form} restored={restored} />}
    </FormDialog>
  )
}

/** The changed fields. The API stores the name and the contact of the person together. */
function patchOf(current: RequestValues, values: RequestValues): EditSubjectRequestData['body'] {
  const requester = requesterOf(values)
  const isOther = Object.keys(changedFields(requesterOf(current), requester)).length > 0
  return { ...changedFields(restOf(current), restOf(values)), ...(isOther && { requester }) }
}
