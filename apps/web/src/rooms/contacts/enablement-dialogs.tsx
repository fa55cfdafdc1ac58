import { NumberInput, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ExtractionReadiness, setExtractionEnablement } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { dayFrom, notADay } from '../../ui/text/day.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { refreshContacts } from './contacts.queries.ts'
import { type LimitName, limitNames, limitWords, retentionDays } from './extraction-words.ts'

type DialogProps = { close: () => void; reopen: () => void }
type Limits = ExtractionReadiness['limits']
type Values = Record<LimitName, number | string> & { reason: string; endsOn: string; retention: string }

const DAY_MS = 86_400_000
const PROPOSED_DAYS = 180

/** Dialog to enable extraction with limits and an end date. The session may require fresh proof of identity. */
export function EnableDialog({ limits, close, reopen }: DialogProps & { limits: Limits }) {
  const queryClient = useQueryClient()
  const { retentionDays: retention, ...bounds } = limits
  const endsOn = new Date(serverNow().getTime() + PROPOSED_DAYS * DAY_MS).toISOString().slice(0, 10)
  return (
    <FormDialog<Values, ExtractionReadiness>
      title="Enable extraction?"
      submitLabel="Enable extraction"
      what="the enablement of contact extraction"
      isAction
      initial={{ reason: '', endsOn, retention: String(retention), ...bounds }}
      validate={problemsOf}
      fieldOf={(path) => (path === 'validUntil' ? 'endsOn' : path.replace(/^limits\./, ''))}
      send={(values, { key }) => dataOf(setExtractionEnablement({ body: enablementOf(values), ...withKey(key) }))}
      onSaved={() => {
        close()
        notifications.show({ message: 'Contact extraction enabled' })
        void refreshContacts(queryClient)
      }}
      draft={{ name: 'enable-extraction', isBlank: ({ reason }) => reason.trim() === '', gone: close }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">
            Operators can then extract contacts from pages of approved official sites. It ends on this day, at most 366
            days from now, or when an item of the checklist opens.
          </Text>
          <ReasonField form={form} restored={restored} description="See the audit log" data-autofocus />
          <TypedTime of="day" label="Ends on" required {...form.getInputProps('endsOn')} />
          <Select
            label="Days that undecided candidates are stored"
            data={retentionDays.map((days) => ({ value: String(days), label: `${days} days` }))}
            {...form.getInputProps('retention')}
          />
          {limitNames.map((name) => (
            <NumberInput
              key={name}
              label={limitWords[name].label}
              description={`1 to ${formatNumber(limitWords[name].ceiling)}`}
              allowDecimal={false}
              {...form.getInputProps(name)}
            />
          ))}
        </>
      )}
    </FormDialog>
  )
}

function problemsOf(values: Values): Record<string, string> {
  const isWithin = (value: number | string, ceiling: number) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= ceiling
  const outside = limitNames.filter((name) => !isWithin(values[name], limitWords[name].ceiling))
  return {
    ...missingReason(values, 'Enter a reason.'),
    ...(dayFrom(values.endsOn) === null ? { endsOn: notADay(values.endsOn) } : {}),
    ...Object.fromEntries(
      outside.map((name) => [name, `Enter a number from 1 to ${formatNumber(limitWords[name].ceiling)}.`]),
    ),
  }
}

function enablementOf({ reason, endsOn, retention, pages, candidates, extractionsPerDay }: Values) {
  return {
    enabled: true,
    reason,
    validUntil: `${dayFrom(endsOn)}T00:00:00.000Z`,
    limits: {
      pages: Number(pages),
      candidates: Number(candidates),
      extractionsPerDay: Number(extractionsPerDay),
      retentionDays: retentionDays.find((days) => String(days) === retention) ?? 90,
    },
  }
}

export function DisableDialog({ close, reopen }: DialogProps) {
  const queryClient = useQueryClient()
  return (
    <ReasonDialog
      draftName="disable-extraction"
      title="Disable extraction?"
      confirmLabel="Disable extraction"
      tone="danger"
      description="See the audit log"
      missing="Enter a reason."
      send={(reason, key) => dataOf(setExtractionEnablement({ body: { enabled: false, reason }, ...withKey(key) }))}
      sent={() => {
        close()
        notifications.show({ message: 'Contact extraction disabled' })
        void refreshContacts(queryClient)
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">No further extraction starts. Candidates are kept.</Text>
    </ReasonDialog>
  )
}
