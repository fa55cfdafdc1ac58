import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { AuditEvent } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCan } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './suppression.module.css'
import { refreshAll } from './suppression.queries.ts'

/** Result of a removal, from the server's response. */
type Removed = { event: AuditEvent; words: string }

type Props = DialogProps & {
  draftName: string
  title: string
  label: string
  /** Text about what will be unblocked and what stays blocked. */
  next: ReactNode
  send: (decided: { reason: string }, idempotencyKey: string) => Promise<Removed>
}

/** Dialog to remove a suppression or a block. It requires a reason and fresh proof, and then shows the audit event that the server read back. */
export function RemovalDialog(props: Props) {
  const [removed, setRemoved] = useState<Removed | null>(null)
  if (removed !== null) return <WrittenEvent {...removed} close={props.close} />
  return (
    <DecisionDialog
      {...props}
      tone="danger"
      isUndoable
      reason="Who approved the removal, and why"
      decided={(answer, isHere) => {
        setRemoved(answer)
        if (!isHere) notifications.show({ message: answer.words })
      }}
      refresh={refreshAll}
    />
  )
}

function WrittenEvent({ event, words, close }: Removed & { close: () => void }) {
  const canOpen = useCan('audit.read')
  return (
    <Dialog onClose={close} title="Removed">
      <Text size="sm">{words}</Text>
      <Facts className={classes.facts}>
        <Fact label="In the audit log">Number {formatNumber(event.sequence)}</Fact>
        <Fact label="By">
          <Name of={event.actor.name} />
        </Fact>
        <Fact label="At">
          <DateTime at={event.at} as="dateTime" />
        </Fact>
        <Fact label="Reason">
          <Name of={event.reason ?? ''} />
        </Fact>
      </Facts>
      <Group justify="flex-end" gap="xs">
        {canOpen && (
          <Link to="/audit" search={{ event: event.id }} className={classes.auditLink}>
            Open in audit log
          </Link>
        )}
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </Dialog>
  )
}
