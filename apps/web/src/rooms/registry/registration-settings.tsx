import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type RegistryRegistration, setRegistryRegistration } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { dayFrom } from '../../ui/text/day.ts'
import { formatDay } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './registry.module.css'
import { refreshRounds, registrationQuery } from './registry.queries.ts'
import { registrationWarning } from './registry-words.ts'

/** Registration of the organisation with the registry. Certificates show the one at the end of their round. */
export function RegistrationSettings() {
  const registration = useQuery(registrationQuery)
  const canManage = useCan('registry.manage')
  if (registration.data === undefined) return <NotLoaded read={registration} what="the registration" lines={4} />
  const warning = registrationWarning(registration.data)
  return (
    <>
      {warning !== null && (
        <p role="note" className={classes.warning}>
          {warning}
        </p>
      )}
      {canManage ? <RegistrationForm registration={registration.data} /> : <Registered {...registration.data} />}
    </>
  )
}

function Registered({ number, validUntil }: RegistryRegistration) {
  if (number === null || validUntil === null) return <p>No registration was entered.</p>
  return (
    <Facts>
      <Fact label="Number">
        <Name of={number} />
      </Fact>
      <Fact label="Valid until">{formatDay(validUntil)}</Fact>
    </Facts>
  )
}

type Values = { number: string; validUntil: string }

function RegistrationForm({ registration }: { registration: RegistryRegistration }) {
  const queryClient = useQueryClient()
  const save = useSaveForm<Values, RegistryRegistration>({
    initial: { number: registration.number ?? '', validUntil: registration.validUntil ?? '' },
    edits: {
      reload: () => queryClient.fetchQuery({ ...registrationQuery, staleTime: 0 }),
      labels: { number: 'Number of the registration', validUntil: 'Valid until, its last day' },
      lines: {},
    },
    validate: ({ number, validUntil }) => ({
      ...(number.trim() === '' && validUntil.trim() !== '' && { number: 'Enter the number of the registration.' }),
      ...(number.trim() !== '' &&
        dayFrom(validUntil) === null && { validUntil: 'Enter the last day on which the registration is valid.' }),
    }),
    send: ({ number, validUntil }) => {
      const isEmpty = number.trim() === ''
      const body = isEmpty
        ? { number: null, validUntil: null }
        : { number: number.trim(), validUntil: dayFrom(validUntil) ?? validUntil }
      return dataOf(setRegistryRegistration({ body, ...ifMatch(registration.version) }))
    },
    onSaved: (saved) => {
      queryClient.setQueryData(registrationQuery.queryKey, saved)
      void refreshRounds(queryClient)
      notifications.show({ message: 'Registration saved' })
    },
    what: 'the registration',
    fieldOf: (path) => (path === 'number' || path === 'validUntil' ? path : undefined),
  })
  const { form, isSaving, isChanged } = save
  return (
    <SaveForm
      save={save}
      actions={
        <Group gap="xs" mt="md">
          <Button type="submit" loading={isSaving} disabled={!isChanged}>
            Save registration
          </Button>
        </Group>
      }
    >
      <Stack gap="md">
        <TextInput
          label="Number of the registration"
          description="Blank: the organisation is not registered"
          maxLength={inputLimits.registrationNumber}
          {...form.getInputProps('number')}
        />
        <TypedTime
          of="day"
          direction="future"
          label="Valid until, its last day"
          {...form.getInputProps('validUntil')}
        />
      </Stack>
    </SaveForm>
  )
}
