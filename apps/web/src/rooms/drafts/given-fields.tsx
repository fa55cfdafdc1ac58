import { Group, Textarea, TextInput } from '@mantine/core'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { SaveForm } from '../../ui/forms/use-save-form.ts'
import { formOf, type GivenValues, isGiven } from './basis-values.ts'
import { basisWords, formWords, optionsOf } from './draft-words.ts'

const { written, electronic, telephone } = formWords
const formOptions = optionsOf({ written, electronic, telephone })

/** Fields of the kind of a legal basis and of how the prospect gave it. Each kind and form shows its own fields. */
export function GivenFields<Values extends GivenValues>({ form, values }: Pick<SaveForm<Values>, 'form' | 'values'>) {
  const { kind } = values
  const given = formOf(values)
  return (
    <>
      <Select label="Kind" data={optionsOf(basisWords)} data-autofocus {...form.getInputProps('kind')} />
      {isGiven(kind) && (
        <>
          <Select
            label="How they gave it"
            placeholder="Choose"
            required
            data={formOptions}
            {...form.getInputProps('form')}
            value={values.form === '' ? null : values.form}
          />
          {given === 'telephone' && (
            <TextInput
              label="Recording"
              description="Where the recording of the call is stored. This product does not store recordings"
              required
              maxLength={inputLimits.basisReference}
              {...form.getInputProps('recordingReference')}
            />
          )}
          <Textarea
            label="What exactly they agreed to"
            description="In the words that they saw or heard"
            required={kind === 'consent'}
            autosize
            minRows={2}
            maxLength={inputLimits.agreedTo}
            {...form.getInputProps('agreedTo')}
          />
          <TextInput
            label="Language"
            description="In which they agreed, as a code: en, af or zu"
            required={kind === 'consent'}
            maxLength={6}
            {...form.getInputProps('language')}
          />
        </>
      )}
      {given === 'existing_customer' && (
        <Group grow align="start">
          <TextInput
            label="What they bought"
            required
            maxLength={inputLimits.sale}
            {...form.getInputProps('soldWhat')}
          />
          <TypedTime of="day" direction="past" label="Bought on" required {...form.getInputProps('soldOn')} />
        </Group>
      )}
    </>
  )
}
