import { Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { FieldGuards } from '../../ui/forms/draft-fields.ts'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { ChannelFields, channelGuards, missingChannel, type TypedChannel } from '../../ui/prospects/block-request.tsx'
import type { Provenance } from './suppression.queries.ts'

export type TypedProvenance = TypedChannel & { reason: string; reference: string }

export const emptyProvenance: TypedProvenance = { reason: '', channel: null, requestedBy: '', reference: '' }

export const isBlankProvenance = ({ reason, channel, requestedBy, reference }: TypedProvenance) =>
  channel === null && [reason, requestedBy, reference].every((text) => text.trim() === '')

/** True if this part of the form has a field for errors at the path. */
export const isProvenanceField = (path: string) => Object.hasOwn(emptyProvenance, path)

export const provenanceGuards = channelGuards satisfies FieldGuards<TypedProvenance>

/** Error messages by field. */
export function missingProvenance({ reason, channel }: TypedProvenance): Record<string, string> {
  return {
    ...(reason.trim() === '' ? { reason: 'Enter a reason. The reason is stored with the entry.' } : {}),
    ...missingChannel({ channel }),
  }
}

/** Provenance of a valid form. */
export function provenanceOf({ reason, channel, requestedBy, reference }: TypedProvenance): Provenance {
  if (channel === null) throw new TypeError('An entry needs a channel.')
  const orNull = (value: string) => (value.trim() === '' ? null : value.trim())
  return { reason, channel, requestedBy: orNull(requestedBy), reference: orNull(reference) }
}

type Props<Values extends TypedProvenance> = { form: UseFormReturnType<Values> }

/** Fields for who asked, how, and where that is recorded; for one entry or a batch. */
export function ProvenanceFields<Values extends TypedProvenance>({ form }: Props<Values>) {
  return (
    <Stack gap="sm">
      <Textarea
        label="Reason"
        description="The request, in one sentence"
        withAsterisk
        aria-required
        autosize
        minRows={2}
        maxLength={inputLimits.reason}
        {...form.getInputProps('reason')}
      />
      <ChannelFields form={form} />
      <TextInput
        label="Reference"
        description="Where to find the request, such as a letter, a ticket or a message"
        maxLength={inputLimits.suppressionReference}
        {...form.getInputProps('reference')}
      />
    </Stack>
  )
}
