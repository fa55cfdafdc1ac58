import { addSubjectRequest, type SubjectRequest, type SubjectRequestKind } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'
import { dayIn } from '../../ui/text/format.ts'
import { startOfDay } from '../../ui/text/zone-time.ts'
import {
  isSensitive,
  missingRequester,
  RequestFields,
  type RequestValues,
  requesterOf,
  requestFieldOf,
  restOf,
} from './request-fields.tsx'
import { kindWords } from './request-words.ts'
import { refreshRequests } from './requests.queries.ts'

type Values = RequestValues & { kind: SubjectRequestKind; receivedOn: string }
type Props = { close: () => void; reopen: () => void }

const kinds = ['access', 'correction', 'objection', 'erasure', 'source'] as const
const kindOptions = kinds.map((value) => ({ value, label: kindWords[value] }))

/** Enters a request, and opens its page. */
export function AddRequestDialog({ close, reopen }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { timeZone } = useSession().tenant
  const today = dayIn(serverNow().toISOString(), timeZone)
  return (
    <FormDialog<Values, SubjectRequest>
      title="Enter a request"
      submitLabel="Enter request"
      what="the request"
      initial={{ kind: 'access', receivedOn: today, name: '', contact: '', identityCheck: '', businessId: '' }}
      validate={(values): FieldErrors => ({
        ...missingRequester(values),
        ...problemOfReceived(values.receivedOn, today),
      })}
      fieldOf={(path) => (path === 'receivedAt' ? 'receivedOn' : requestFieldOf(path))}
      send={(values, { key }) =>
        dataOf(
          addSubjectRequest({
            body: {
              kind: values.kind,
              receivedAt: startOfDay(dayFrom(values.receivedOn) ?? '', timeZone),
              requester: requesterOf(values),
              ...restOf(values),
            },
            ...withKey(key),
          }),
        )
      }
      onSaved={({ id }) => {
        void refreshRequests(queryClient)
        close()
        void navigate({ to: '/subject-requests/$requestId', params: { requestId: id } })
      }}
      draft={{
        name: 'subject-request-new',
        guards: { kind: oneOf(kinds) },
        isSensitive,
        isBlank: ({ name, contact, identityCheck }) => `${name}${contact}${identityCheck}`.trim() === '',
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Select label="What the person asks for" data={kindOptions} {...form.getInputProps('kind')} />
          <RequestFields form={form} restored={restored}>
            <TypedTime
              of="day"
              direction="past"
              label="Received on"
              description="The answer is due 30 days later."
              required
              {...form.getInputProps('receivedOn')}
            />
          </RequestFields>
        </>
      )}
    </FormDialog>
  )
}

function problemOfReceived(typed: string, today: string): FieldErrors {
  const day = dayFrom(typed)
  if (day === null) return { receivedOn: notADay(typed) }
  return day > today ? { receivedOn: 'This day is in the future.' } : {}
}
