import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { NewAccessToken } from '@prospect/api-client'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { CopyButton } from '../../../ui/layout/copy-button.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from '../people/people.module.css'

/** Shows the secret of a new token once: the server stores only its hash. */
export function TokenSecret({ token, close }: { token: NewAccessToken; close: () => void }) {
  return (
    <Dialog
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={`Access token ${nameText(token.name)}`}
    >
      <Stack gap="md">
        <Text size="sm">A program sends this token in the header Authorization, after the word Bearer.</Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users can select the text by keyboard if copying is refused */}
        <code className={classes.link} tabIndex={0} data-autofocus>
          {token.secret}
        </code>
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />}>
          Copy the token now, because it won’t be shown again. Store it where you keep passwords. Whoever has it can act
          as you, within its permissions.
        </Alert>
        <Group justify="flex-end" gap="xs">
          <CopyButton text={token.secret} label="Copy token" />
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
