import { notifications } from '@mantine/notifications'
import { type Person, recordDeparture } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'
import { dayIn } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { refreshPeople } from './people.queries.ts'

/** Dialog that records the day on which a person left. */
export function DepartureDialog({
  person,
  businessId,
  close,
  reopen,
}: DialogProps & { person: Person; businessId: string }) {
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  const name = nameText(person.name)
  return (
    <FormDialog<{ on: string }, Person>
      title={`When did ${name} leave?`}
      submitLabel="Save"
      what={`the departure of ${name}`}
      initial={{ on: person.leftOn ?? dayIn(serverNow().toISOString(), timeZone) }}
      validate={({ on }): FieldErrors => (dayFrom(on) === null ? { on: notADay(on) } : {})}
      send={({ on }, { key }) =>
        dataOf(recordDeparture({ path: { personId: person.id }, body: { on: dayFrom(on) ?? '' }, ...withKey(key) }))
      }
      onSaved={() => {
        void refreshPeople(queryClient, businessId)
        notifications.show({ message: `${name} left.` })
        close()
      }}
      draft={{ name: `person-departure-${person.id}` }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <TypedTime
          of="day"
          direction="past"
          label="Left on"
          description="The person stays on the record and is shown last"
          required
          data-autofocus
          {...form.getInputProps('on')}
        />
      )}
    </FormDialog>
  )
}
