import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { addPasskey } from '@prospect/api-client'
import { IconAlertCircle, IconFingerprint } from '@tabler/icons-react'
import { messageAbout } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { rotatingSession } from '../../../ui/api/gated-fetch.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { refusedWith } from '../../../ui/forms/save-failure.tsx'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { deviceName } from '../device.ts'
import { createPasskey, passkeySentence } from '../passkeys.ts'
import { useBusy } from './use-busy.ts'

type Props = {
  onAdded: (recoveryCodes: string[] | null) => void
  cancel: () => void
  /** Reports a pending request, during which a surrounding dialog must not close. */
  onBusy?: (isBusy: boolean) => void
}

export function AddPasskey({ onAdded, cancel, onBusy }: Props) {
  const save = useSaveForm({
    initial: { name: deviceName(navigator.userAgent) },
    validate: ({ name }): FieldErrors =>
      name.trim() === '' ? { name: 'Enter a name, such as the device that stores it.' } : {},
    send: async ({ name }) => {
      const body = { name: name.trim(), passkey: await createPasskey() }
      return dataOf(addPasskey({ body, ...rotatingSession }))
    },
    onSaved: ({ recoveryCodes }) => onAdded(recoveryCodes),
    explain: (error) => {
      const about = messageAbout(error, 'name')
      return about === undefined ? { failure: refusedWith(passkeySentence(error)) } : { fields: { name: about } }
    },
  })
  const { failure, isSaving } = save
  useBusy(isSaving, onBusy)

  return (
    <SaveForm
      save={save}
      failure={null}
      actions={
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" size="sm" disabled={isSaving} onClick={cancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="sm"
            loading={isSaving}
            leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden />}
          >
            Create passkey
          </Button>
        </Group>
      }
    >
      <Stack gap="md">
        <Text size="sm">
          A passkey is stored on this device, in a password manager or on a security key. You sign in with the passkey
          in place of your password and your code. The passkey works only at the web address of this app.
        </Text>
        {failure !== null && (
          <Alert color="red" variant="outline" icon={<IconAlertCircle />} title="No passkey was added">
            {failure.text}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="A name that helps you to recognize the passkey"
          maxLength={inputLimits.passkeyName}
          data-autofocus
          autoFocus
          {...save.form.getInputProps('name')}
        />
      </Stack>
    </SaveForm>
  )
}
