import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { addPasskey } from '@prospect/api-client'
import { IconAlertCircle, IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { messageAbout } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { rotatingSession } from '../../../ui/api/gated-fetch.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { deviceName } from '../device.ts'
import { createPasskey, passkeySentence } from '../passkeys.ts'

type Props = {
  onAdded: (recoveryCodes: string[] | null) => void
  cancel: () => void
  /** What is on its way must not be closed over. */
  onBusy?: (isBusy: boolean) => void
}

export function AddPasskey({ onAdded, cancel, onBusy }: Props) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const [missing, setMissing] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (name.trim() === '') {
      setMissing('Give it a name, such as the device that holds it.')
      input.current?.focus()
      return
    }
    setIsBusy(true)
    onBusy?.(true)
    setFailure(null)
    setMissing(null)
    try {
      const body = { name: name.trim(), passkey: await createPasskey() }
      const added = await dataOf(addPasskey({ body, ...rotatingSession }))
      onAdded(added.recoveryCodes)
    } catch (error) {
      const about = messageAbout(error, 'name')
      if (about !== undefined) setMissing(about)
      else setFailure(passkeySentence(error))
    } finally {
      setIsBusy(false)
      onBusy?.(false)
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          A passkey stays in this device, its key chain or a security key. It stands in for password and code together,
          and works at no other address than this one.
        </Text>
        {failure !== null && (
          <Alert color="red" variant="outline" icon={<IconAlertCircle />} title="No passkey was added">
            {failure}
          </Alert>
        )}
        <TextInput
          ref={input}
          label="Name"
          description="To tell it from your others"
          maxLength={inputLimits.passkeyName}
          data-autofocus
          autoFocus
          value={name}
          error={missing}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="sm"
            loading={isBusy}
            leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden />}
          >
            Create the passkey
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
