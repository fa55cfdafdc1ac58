import { Checkbox, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addPageEvidence, type Confidence, type Evidence, type ScanPage } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { refreshRecord } from '../../ui/prospects/record-keys.ts'
import { listWords } from '../../ui/text/format.ts'
import { knownRepeats, type RepeatedFact, repeatedFacts, repeatWords } from './scan-words.ts'

/** A page of a scan, by its position in it. */
export type PageOfScan = { scanId: string; position: number; page: ScanPage }

type Props = PageOfScan & { businessId: string; close: () => void; reopen: () => void }
type Values = { repeats: RepeatedFact[]; confidence: Confidence }

/** Dialog to store what a page shows of the prospect as evidence. Facts that are not known cannot be chosen. */
export function PageEvidenceDialog({ businessId, scanId, position, page, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const known = knownRepeats(page)
  const unknown = repeatedFacts.filter((fact) => !known.includes(fact))
  const initial: Values = {
    repeats: known.filter((fact) => page.facts?.repeats[fact] === 'yes'),
    confidence: 'medium',
  }
  return (
    <FormDialog<Values, Evidence>
      title="Add facts of this page as evidence"
      submitLabel="Add evidence"
      what="the evidence of a page"
      initial={initial}
      validate={({ repeats }) => (repeats.length === 0 ? { repeats: 'Choose at least one fact.' } : {})}
      send={({ repeats, confidence }, { key }) =>
        dataOf(
          addPageEvidence({
            path: { businessId },
            body: { scanId, page: position, repeats, confidence },
            ...withKey(key),
          }),
        )
      }
      onSaved={() => {
        void refreshRecord(queryClient, businessId)
        notifications.show({ message: 'Evidence added.' })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <>
          <Checkbox.Group label="Facts" {...form.getInputProps('repeats')}>
            {known.map((fact, index) => (
              <Checkbox
                key={fact}
                mt="xs"
                value={fact}
                {...(index === 0 && { 'data-autofocus': true })}
                label={`${repeatWords[fact]}: ${page.facts?.repeats[fact] === 'yes' ? 'on the page' : 'not on the page'}`}
              />
            ))}
          </Checkbox.Group>
          {unknown.length > 0 && (
            <Text size="sm" c="dimmed">
              The page does not show clearly: {listWords(unknown.map((fact) => repeatWords[fact]))}.
            </Text>
          )}
          <Select
            label="Confidence"
            data={[
              { value: 'low', label: 'Low' },
              { value: 'medium', label: 'Medium' },
              { value: 'high', label: 'High' },
            ]}
            {...form.getInputProps('confidence')}
          />
        </>
      )}
    </FormDialog>
  )
}
