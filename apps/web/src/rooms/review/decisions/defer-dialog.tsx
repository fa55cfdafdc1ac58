import { serverNow } from '../../../ui/api/server-clock.ts'
import { useSession } from '../../../ui/api/session.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import { TypedTime } from '../../../ui/fields/typed-time.tsx'
import type { FieldErrors } from '../../../ui/forms/use-save-form.ts'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { dayFrom } from '../../../ui/text/day.ts'
import { problemOfComingDay } from '../../../ui/text/day-words.ts'
import { dayIn, formatDay } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { useDecision } from './use-decision.ts'

/** Dialog to defer the review to a day. */
export function DeferDialog({ business, close, reopen }: OpenProps) {
  const decision = useDecision(business)
  const { timeZone } = useSession().tenant
  return (
    <FormDialog
      title={`Defer the review of ${nameText(business.name)}?`}
      submitLabel="Defer"
      what={`the review of ${nameText(business.name)}`}
      isAction
      initial={{ until: '', reason: '' }}
      validate={({ until }): FieldErrors => {
        const problem = problemOfComingDay(until, dayIn(serverNow().toISOString(), timeZone))
        return problem === null ? {} : { until: problem }
      }}
      send={({ until, reason }, { key }) =>
        decision.send({ decision: 'defer', until: dayFrom(until) ?? until, reason: reason.trim() || null }, key)
      }
      explain={decision.explain}
      onSaved={(_, { until }) => {
        close()
        decision.saved(`Deferred until ${formatDay(dayFrom(until) ?? until)}`)
      }}
      draft={{ name: `review-defer-${business.id}` }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <TypedTime
            of="day"
            direction="future"
            isComing
            label="Until"
            description="At most 90 days ahead. The prospect is due for review again at the start of that day."
            required
            data-autofocus
            {...form.getInputProps('until')}
          />
          <ReasonField
            form={form}
            restored={restored}
            label="Note (optional)"
            description="Stored with the review"
            withAsterisk={false}
            aria-required={false}
          />
        </>
      )}
    </FormDialog>
  )
}
