import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { OneTimeLink as ShownLink } from '@prospect/api-client'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { CopyButton } from '../../../ui/layout/copy-button.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import classes from './people.module.css'

type Props = { title: string; link: ShownLink; children: ReactNode; close: () => void }

/** Shows a one-time link once: the server stores only its hash. */
export function OneTimeLink({ title, link, children, close }: Props) {
  const address = `${window.location.origin}/welcome#${link.token}`
  return (
    <Dialog
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={title}
    >
      <Stack gap="md">
        <Text size="sm">{children}</Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users can select the text by keyboard if copying is refused */}
        <code className={classes.link} tabIndex={0} data-autofocus>
          {address}
        </code>
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />}>
          Copy the link now, because it won’t be shown again. The link expires{' '}
          <DateTime at={link.expiresAt} as="dateTime" />. Send the link privately yourself. Nothing is sent from here.
        </Alert>
        <Group justify="flex-end" gap="xs">
          <CopyButton text={address} label="Copy link" />
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
