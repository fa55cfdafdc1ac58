import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { BlockValues } from '../../ui/prospects/block-values.ts'
import { BlockValuesField } from '../../ui/prospects/block-values-field.tsx'
import classes from '../../ui/prospects/entries.module.css'
import type { InteractionFormValues } from './interaction-form-values.ts'

type Props = {
  form: UseFormReturnType<InteractionFormValues>
  values: BlockValues
  isSaving: boolean
}

/** Fields of an interaction in which the prospect asked not to be contacted: the reason of the block, and the values to block everywhere. */
export function OptOutFields({ form, values, isSaving }: Props) {
  return (
    <>
      <Textarea
        label="Reason for the block"
        description="Shown on the record and stored with the blocked values"
        required
        autosize
        minRows={1}
        className={classes.wide}
        maxLength={inputLimits.reason}
        {...form.getInputProps('optOutReason')}
      />
      <div className={classes.wide}>
        <BlockValuesField
          values={values}
          toggled={form.values.toggled}
          onToggled={(toggled) => form.setFieldValue('toggled', toggled)}
          isHeld={isSaving}
        />
      </div>
      <TextInput label="Requested by" maxLength={inputLimits.requestedBy} {...form.getInputProps('requestedBy')} />
    </>
  )
}
