import { Textarea, TextInput } from '@mantine/core'
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
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { ProspectSelect } from '../../ui/prospects/prospect-select.tsx'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'
import { dayIn } from '../../ui/text/format.ts'
import { startOfDay } from '../../ui/text/zone-time.ts'
import { kindWords } from './request-words.ts'
import { refreshRequests } from './requests.queries.ts'

type Values = {
  kind: SubjectRequestKind
  receivedOn: string
  name: string
  contact: string
  identityCheck: string
  /** Blank means that no prospect is known. */
  businessId: string
}

type Props = { close: () => void; reopen: () => void }

const kindOptions = Object.entries(kindWords).map(([value, label]) => ({ value, label }))

/** Enters a request, and opens its page. */
export function AddRequestDialog({ close, reopen }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { timeZone } = useSession().tenant
  return (
    <FormDialog<Values, SubjectRequest>
      title="Enter a subject request"
      submitLabel="Enter request"
      what="the request"
      initial={{
        kind: 'access',
        receivedOn: dayIn(serverNow().toISOString(), timeZone),
        name: '',
        contact: '',
        identityCheck: '',
        businessId: '',
      }}
      validate={({ name, receivedOn }): FieldErrors => ({
        ...(name.trim() === '' && { name: 'Enter who asks.' }),
        ...(dayFrom(receivedOn) === null && { receivedOn: notADay(receivedOn) }),
      })}
      fieldOf={(path) =>
        ({ receivedAt: 'receivedOn', 'requester.name': 'name', 'requester.contact': 'contact' })[path] ?? path
      }
      send={({ kind, receivedOn, name, contact, identityCheck, businessId }, { key }) =>
        dataOf(
          addSubjectRequest({
            body: {
              kind,
              receivedAt: startOfDay(dayFrom(receivedOn) ?? '', timeZone),
              requester: { name, contact: contact.trim() === '' ? null : contact },
              identityCheck: identityCheck.trim() === '' ? null : identityCheck,
              businessId: businessId === '' ? null : businessId,
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
        isBlank: ({ name, contact }) => name.trim() === '' && contact.trim() === '',
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, values, restored }) => (
        <>
          <Select label="Request" data={kindOptions} {...form.getInputProps('kind')} />
          <TextInput
            label="Person"
            description={<DraftHint draft={restored} />}
            withAsterisk
            aria-required
            data-autofocus
            autoComplete="off"
            maxLength={inputLimits.requesterName}
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Where the person is answered"
            description="An address or number. It is used for nothing else, and may be do not contact"
            autoComplete="off"
            maxLength={inputLimits.requesterContact}
            {...form.getInputProps('contact')}
          />
          <TypedTime of="day" direction="past" label="Received on" required {...form.getInputProps('receivedOn')} />
          <Textarea
            label="How the identity was checked"
            autosize
            minRows={2}
            maxLength={inputLimits.requestText}
            {...form.getInputProps('identityCheck')}
          />
          <ProspectSelect
            label="Prospect"
            chosen={values.businessId === '' ? null : values.businessId}
            choose={(businessId) => form.setFieldValue('businessId', businessId ?? '')}
            clearable
          />
        </>
      )}
    </FormDialog>
  )
}
