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
import { daysBefore, nextDay } from '../../ui/text/zone-time.ts'
import { isSensitive } from './request-fields.tsx'
import { refreshRequests } from './requests.queries.ts'

type Props = { request: SubjectRequest; close: () => void; reopen: () => void }
type Values = { dueOn: string; reason: string }

const EXTENSION_DAYS = 30

/** Moves the due day of a request, once. */
export function ExtendDialog({ request: { id, dueOn }, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const range = `between ${formatDay(nextDay(dueOn))} and ${formatDay(daysBefore(dueOn, -EXTENSION_DAYS))}`
  return (
    <FormDialog<Values, SubjectRequest>
      title="Extend the time to answer"
      submitLabel="Extend"
      what="the extension"
      initial={{ dueOn: '', reason: '' }}
      validate={(values): FieldErrors => ({
        ...problemOfDay(values.dueOn, dueOn, range),
        ...missingReason(values, 'Enter a reason. The person is told this reason.'),
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
      draft={{ name: `subject-request-extension-${id}`, isSensitive }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <TypedTime
            of="day"
            direction="future"
            label="Answer by"
            description={`A day ${range}. A request can be extended only once.`}
            required
            data-autofocus
            {...form.getInputProps('dueOn')}
          />
          <ReasonField
            form={form}
            restored={restored}
            description="Tell the person this reason yourself: this product sends nothing"
          />
        </>
      )}
    </FormDialog>
  )
}

function problemOfDay(typed: string, dueOn: string, range: string): FieldErrors {
  const day = dayFrom(typed)
  if (day === null) return { dueOn: notADay(typed, 'future') }
  return day <= dueOn || day > daysBefore(dueOn, -EXTENSION_DAYS) ? { dueOn: `Choose a day ${range}.` } : {}
}
