import { Checkbox, Text } from '@mantine/core'
import type { EvidenceField, ReviewOpening } from '@prospect/api-client'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { agreementWords } from '../../../ui/text/agreement-words.ts'
import { fieldName } from '../../../ui/text/field-names.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { factValues } from './fact-values.ts'
import { useDecision } from './use-decision.ts'

/** Dialog to verify that the prospect exists and that the checked facts are right. */
export function VerifyDialog({ business, close, reopen }: OpenProps) {
  const decision = useDecision(business)
  const opening = decision.opening.data
  const contradicted: readonly EvidenceField[] = opening?.contradictedFields ?? []
  const spellings = opening?.otherSpellings ?? []
  const initial: { checked: EvidenceField[]; reason: string } = { checked: [], reason: '' }
  return (
    <FormDialog
      title={`Verify ${nameText(business.name)}?`}
      submitLabel="Verify"
      what={`the review of ${nameText(business.name)}`}
      isAction
      initial={initial}
      send={({ checked, reason }, { key }) =>
        decision.send({ decision: 'verify', checkedFields: checked, reason: reason.trim() || null }, key)
      }
      fieldOf={(path) => (path === 'checkedFields' ? 'checked' : path === 'reason' ? path : undefined)}
      explain={decision.explain}
      onSaved={() => {
        close()
        decision.saved('Verified')
      }}
      draft={{ name: `review-verify-${business.id}` }}
      close={close}
      reopen={reopen}
      isDisabled={() => opening === undefined || opening.doNotContact}
    >
      {({ form, restored }) => (
        <>
          {opening === undefined && <NotLoaded read={decision.opening} lines={2} what="the review" />}
          <Text size="sm">
            {opening?.doNotContact === true
              ? 'This prospect is marked do not contact, so you cannot verify the prospect. You can reject or defer it.'
              : 'You confirm that this business exists and that the checked facts are correct.'}
          </Text>
          <Checkbox.Group label="Facts that you checked" {...form.getInputProps('checked')}>
            {factValues(business).map(({ field, value }, index) => (
              <Checkbox
                key={field}
                mt="xs"
                value={field}
                disabled={contradicted.includes(field)}
                {...(index === 0 && { 'data-autofocus': true })}
                label={
                  <>
                    {fieldName(field)}: <Name of={value} />
                    {contradicted.includes(field) && ' (evidence contradicts it)'}
                    <OtherSpellings of={spellings.filter((one) => one.field === field)} />
                  </>
                }
              />
            ))}
          </Checkbox.Group>
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

/** Values that evidence gives in another spelling than the record, each with how it agrees. */
function OtherSpellings({ of }: { of: ReviewOpening['otherSpellings'] }) {
  return of.map((spelling) => (
    <Text key={spelling.agreement} component="span" size="sm" c="dimmed" display="block">
      Evidence says <Name of={spelling.claimed} /> ({agreementWords(spelling)})
    </Text>
  ))
}
