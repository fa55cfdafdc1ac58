import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ExtractionReadiness, setExtractionEnablement } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { EndDayField, useEndDay } from '../../ui/fields/end-day-field.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { mapValues } from '../../ui/text/map-values.ts'
import { type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'
import { refreshContacts } from './contacts.queries.ts'
import { type LimitName, limitNames, limitWords, retentionDays } from './extraction-words.ts'

type Limits = ExtractionReadiness['limits']
type Values = Record<LimitName, NumberValue> & { reason: string; endsOn: string; retention: string }

/** The API accepts an enablement of at most 366 days. */
const enablementTerm = { usualDays: 180, maxDays: 366 }

/** Dialog to enable extraction with limits and an end date. The session may require fresh proof of identity. */
export function EnableDialog({ limits, close, reopen }: DialogProps & { limits: Limits }) {
  const queryClient = useQueryClient()
  const { retentionDays: retention, ...bounds } = limits
  const end = useEndDay(enablementTerm)
  return (
    <FormDialog<Values, ExtractionReadiness>
      title="Enable extraction?"
      submitLabel="Enable extraction"
      what="the enablement of contact extraction"
      isAction
      initial={{ reason: '', endsOn: end.usual, retention: String(retention), ...bounds }}
      edits={{
        reload: () => refreshContacts(queryClient),
        labels: {
          ...mapValues(limitWords, ({ label }) => label),
          retention: 'Store open contacts for (days)',
        },
      }}
      validate={(values) => ({ ...problemsOf(values), ...end.problems(values) })}
      fieldOf={(path) => (path === 'validUntil' ? 'endsOn' : path.replace(/^limits\./, ''))}
      send={(values, { key }) =>
        dataOf(setExtractionEnablement({ body: enablementOf(values, end.instant(values)), ...withKey(key) }))
      }
      onSaved={() => {
        close()
        notifications.show({ message: 'Contact extraction enabled' })
        void refreshContacts(queryClient)
      }}
      draft={{ name: 'enable-extraction', isBlank: ({ reason }) => reason.trim() === '' }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">
            Operators can then extract contacts from pages of approved official sites. Extraction ends after the last
            day, or when an item of the checklist is open again.
          </Text>
          <ReasonField form={form} restored={restored} description="See the audit log" data-autofocus />
          <EndDayField end={end} {...form.getInputProps('endsOn')} />
          <Select
            label="Store open contacts for (days)"
            data={retentionDays.map((days) => ({ value: String(days), label: countWords(days, 'day', 'days') }))}
            {...form.getInputProps('retention')}
          />
          {limitNames.map((name) => (
            <NumberField
              key={name}
              label={limitWords[name].label}
              description={`1 to ${formatNumber(limitWords[name].ceiling)}`}
              {...ranges[name]}
              {...form.getInputProps(name)}
            />
          ))}
        </>
      )}
    </FormDialog>
  )
}

const ranges = mapValues(limitWords, ({ ceiling }) => ({ min: 1, max: ceiling }))

function problemsOf(values: Values): Record<string, string> {
  return {
    ...missingReason(values, 'Enter a reason.'),
    ...numberProblems(values, ranges),
  }
}

function enablementOf({ reason, retention, pages, candidates, extractionsPerDay }: Values, validUntil: string) {
  return {
    enabled: true,
    reason,
    validUntil,
    limits: {
      pages: numberOf(pages) ?? 0,
      candidates: numberOf(candidates) ?? 0,
      extractionsPerDay: numberOf(extractionsPerDay) ?? 0,
      retentionDays: retentionDays.find((days) => String(days) === retention) ?? 90,
    },
  }
}

export function DisableDialog(dialog: DialogProps) {
  return (
    <DecisionDialog
      draftName="disable-extraction"
      title="Disable extraction?"
      label="Disable extraction"
      tone="danger"
      next="No further extraction starts. The contacts found so far are kept."
      reason="Stored in the audit log"
      send={({ reason }, key) => dataOf(setExtractionEnablement({ body: { enabled: false, reason }, ...withKey(key) }))}
      done="Contact extraction disabled"
      refresh={refreshContacts}
      {...dialog}
    />
  )
}
