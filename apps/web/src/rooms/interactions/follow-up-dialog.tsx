import { notifications } from '@mantine/notifications'
import { setFollowUp } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { ChoiceButtons } from '../../ui/fields/choice-buttons.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { recordKey, refreshRecord } from '../../ui/prospects/record-keys.ts'
import { businessQuery } from '../../ui/prospects/record-queries.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { problemOfComingDay } from '../../ui/text/day-words.ts'
import { dayIn, formatDay, formatWeekday } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { distinctChoices, followUpChoices } from './call-choices.ts'

const FOLLOW_UP_HINT = 'The date appears only in your lists here. Nothing is sent, and no calendar entry is created.'

/** Dialog that sets, moves or clears the follow-up date of a record without an interaction. The next interaction replaces the date. */
export function FollowUpDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  const today = dayIn(serverNow().toISOString(), timeZone)
  const name = nameText(business.name)
  const saved = business.followUpOn ?? ''
  const choices = distinctChoices(followUpChoices(today)).map(({ keyCap: _, ...choice }) => choice)
  return (
    <FormDialog
      title={`Follow-up of ${name}`}
      submitLabel="Save follow-up"
      initial={{ followUpOn: saved }}
      edits={{
        reload: () => queryClient.fetchQuery({ ...businessQuery(business.id), staleTime: 0 }),
        labels: { followUpOn: 'Follow up on' },
        lines: { followUpOn: (day) => [dayFrom(day) === null ? 'None' : formatWeekday(day)] },
      }}
      validate={({ followUpOn }) => {
        // A date that has passed may stay as it is.
        const problem = followUpOn.trim() === '' || followUpOn === saved ? null : problemOfComingDay(followUpOn, today)
        return problem === null ? {} : { followUpOn: problem }
      }}
      send={({ followUpOn }) =>
        dataOf(
          setFollowUp({
            path: { businessId: business.id },
            body: { followUpOn: dayFrom(followUpOn), ...(followUpOn === saved && { acceptPastFollowUp: true }) },
            ...ifMatch(business.version),
          }),
        )
      }
      onSaved={(changed) => {
        queryClient.setQueryData(recordKey(business.id), changed)
        void refreshRecord(queryClient, business.id)
        const { followUpOn } = changed
        notifications.show({
          message:
            followUpOn === null ? `${name} has no follow-up.` : `Follow-up of ${name}: ${formatWeekday(followUpOn)}.`,
        })
        close()
      }}
      what={`the follow-up of ${name}`}
      draft={{ name: `follow-up-${business.id}` }}
      close={close}
      reopen={reopen}
    >
      {({ form, values, set }) => (
        <>
          <TypedTime
            of="day"
            direction="future"
            isComing={values.followUpOn !== saved}
            label="Follow up on"
            description={
              saved === '' ? FOLLOW_UP_HINT : `The follow-up is now on ${formatDay(saved)}. ${FOLLOW_UP_HINT}`
            }
            data-autofocus
            {...form.getInputProps('followUpOn')}
          />
          <ChoiceButtons
            label="Or choose"
            choices={choices}
            value={values.followUpOn}
            onChoose={(followUpOn) => set({ followUpOn })}
          />
        </>
      )}
    </FormDialog>
  )
}
