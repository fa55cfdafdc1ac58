import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Suppression } from '@prospect/api-client'
import { Select } from '../fields/select.tsx'
import { inputLimits } from '../forms/input-limits.ts'
import type { AlsoSuppress } from './block-values.ts'
import { channelOptions, isRequestChannel } from './request-channels.ts'

/** Values of the fields for the channel of a request and the person who made it. */
export type TypedChannel = {
  /** null until chosen. The channel is evidence, so there is no default. */
  channel: Suppression['channel'] | null
  requestedBy: string
}

export const channelGuards = {
  channel: (stored: unknown): stored is TypedChannel['channel'] => stored === null || isRequestChannel(stored),
}

/** Error messages by field. */
export function missingChannel({ channel }: Pick<TypedChannel, 'channel'>): { channel?: string } {
  return channel === null ? { channel: 'Choose how the request was received.' } : {}
}

type FieldsProps<Values extends TypedChannel> = { form: UseFormReturnType<Values>; channelDescription?: string }

/** Fields for how a request was received, and from whom. */
export function ChannelFields<Values extends TypedChannel>({ form, channelDescription }: FieldsProps<Values>) {
  return (
    <>
      <Select
        label="Received by"
        description={channelDescription}
        placeholder="Choose"
        withAsterisk
        aria-required
        data={channelOptions}
        {...form.getInputProps('channel')}
      />
      <TextInput label="Requested by" maxLength={inputLimits.requestedBy} {...form.getInputProps('requestedBy')} />
    </>
  )
}

/** Values of the form that marks a prospect or a person as do not contact. `toggled`: keys of the values that the person changed. */
export type TypedBlock = TypedChannel & { reason: string; toggled: string[] }

export const emptyBlock: TypedBlock = { reason: '', channel: null, requestedBy: '', toggled: [] }

/** Field of the form for an error of the API. */
export const blockFieldOf = (path: string) => (path in emptyBlock && path !== 'toggled' ? path : undefined)

/** Draft of the form, so that a failed or interrupted attempt loses no text. */
export const blockDraft = (name: string) => ({
  name,
  guards: channelGuards,
  isBlank: ({ reason, channel, requestedBy }: TypedBlock) =>
    channel === null && `${reason}${requestedBy}`.trim() === '',
})

/** Returns the body of the request. Only values have a channel and a requester. */
export function blockBody({ reason, channel, requestedBy }: TypedBlock, alsoSuppress: AlsoSuppress) {
  const provenance = { channel, requestedBy: requestedBy.trim() === '' ? null : requestedBy.trim() }
  return { reason, ...(alsoSuppress.length > 0 && { alsoSuppress, ...provenance }) }
}
