import { extendSubjectRequest, type SubjectRequest } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'
import { formatDay } from '../../ui/text/format.ts'
import { refreshRequests } from './requests.queries.ts'

type Props = { request: SubjectRequest; close: () => void; reopen: () => void }
type Values = { dueOn: string; reason: string }

/** Moves the due day of a request, once. */
export function ExtendDialog({ request: { id, dueOn }, close, reopen }: Props) {
  const queryClient = useQueryClient()
  return (
    <FormDialog<Values, SubjectRequest>
      title="Extend the request"
      submitLabel="Extend"
      what="the extension"
      initial={{ dueOn: '', reason: '' }}
      validate={(values): FieldErrors => ({
        ...(dayFrom(values.dueOn) === null && { dueOn: notADay(values.dueOn) }),
        ...missingReason(values, 'Enter the reason that the person is told.'),
      })}
      send={({ dueOn: day, reason }, { key }) =>
        dataOf(
          extendSubjectRequest({
            path: { requestId: id },
            body: { dueOn: dayFrom(day) ?? '', reason },
            ...withKey(key),
          }),
        )
      }
      onSaved={() => {
        void refreshRequests(queryClient)
        close()
      }}
      draft={{ name: `subject-request-extension-${id}` }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <TypedTime
            of="day"
            direction="future"
            label="New due day"
            description={`At most 30 days after ${formatDay(dueOn)}. A request is extended once`}
            required
            data-autofocus
            {...form.getInputProps('dueOn')}
          />
          <ReasonField form={form} restored={restored} description="As the person is told" />
        </>
      )}
    </FormDialog>
  )
}
