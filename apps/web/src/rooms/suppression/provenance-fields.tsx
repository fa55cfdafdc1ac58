import { Stack, Textarea, TextInput } from '@mantine/core'
import type { Suppression } from '@prospect/api-client'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { channelOptions, channelWords } from './suppression-words.ts'

export type TypedProvenance = {
  reason: string
  /** null: nobody has said yet. What is recorded as evidence is chosen, and never a default. */
  channel: Suppression['channel'] | null
  requestedBy: string
  reference: string
}

export const emptyProvenance: TypedProvenance = { reason: '', channel: null, requestedBy: '', reference: '' }

export const isBlankProvenance = ({ reason, channel, requestedBy, reference }: TypedProvenance) =>
  channel === null && [reason, requestedBy, reference].every((text) => text.trim() === '')

/** Whether an error of this name has a field here to stand beside. */
export const isProvenanceField = (path: string) => Object.hasOwn(emptyProvenance, path)

/** What has to be said and is not, beside its field. */
export function missingProvenance({ reason, channel }: TypedProvenance): Record<string, string> {
  return {
    ...(reason.trim() === '' ? { reason: 'Say why. The reason stays with what is suppressed.' } : {}),
    ...(channel === null ? { channel: 'Choose how it reached us. It stays with what is suppressed.' } : {}),
  }
}

export function provenanceOf({ reason, channel, requestedBy, reference }: TypedProvenance) {
  const orNull = (value: string) => (value.trim() === '' ? null : value.trim())
  return { reason, channel, requestedBy: orNull(requestedBy), reference: orNull(reference) }
}

type Props = {
  value: TypedProvenance
  errors: Record<string, string>
  /** On its way to the server: nothing more is taken. */
  isHeld: boolean
  onChange: (value: TypedProvenance) => void
}

/** Who asked, how, and where that is written down: for one entry, and for a whole batch. */
export function ProvenanceFields({ value, errors, isHeld, onChange }: Props) {
  const set = (part: Partial<TypedProvenance>) => onChange({ ...value, ...part })
  return (
    <Stack gap="sm">
      <Textarea
        label="Reason"
        description="What they asked for, in a sentence"
        withAsterisk
        aria-required
        autosize
        minRows={2}
        maxLength={inputLimits.reason}
        value={value.reason}
        error={errors.reason}
        readOnly={isHeld}
        onChange={(event) => set({ reason: event.currentTarget.value })}
      />
      <Select
        label="How it reached us"
        placeholder="Choose"
        withAsterisk
        aria-required
        data={channelOptions}
        value={value.channel}
        error={errors.channel}
        readOnly={isHeld}
        onChange={(chosen) => chosen !== null && isChannel(chosen) && set({ channel: chosen })}
      />
      <TextInput
        label="Who asked"
        maxLength={inputLimits.requestedBy}
        value={value.requestedBy}
        error={errors.requestedBy}
        readOnly={isHeld}
        onChange={(event) => set({ requestedBy: event.currentTarget.value })}
      />
      <TextInput
        label="Reference"
        description="Where it is kept: a letter, a ticket, a message"
        maxLength={inputLimits.suppressionReference}
        value={value.reference}
        error={errors.reference}
        readOnly={isHeld}
        onChange={(event) => set({ reference: event.currentTarget.value })}
      />
    </Stack>
  )
}

function isChannel(value: string): value is Suppression['channel'] {
  return value in channelWords
}
