import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import type { AuditEvent } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { messageAbout } from '../../ui/api-problem.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { useIdempotencyKey } from '../../ui/idempotency.ts'
import { useCan } from '../../ui/session.ts'
import classes from './suppression.module.css'
import { refreshAll } from './suppression.queries.ts'

type Props = {
  title: string
  confirmLabel: string
  /** What will be free, what stays blocked. */
  children: ReactNode
  /** What happened, from what the server answered. */
  send: (reason: string, idempotencyKey: string) => Promise<{ event: AuditEvent; words: string }>
  close: () => void
}

/**
 * The one way out of a suppression or a block: a reason, a fresh proof (asked for over the page), and then the event as it stands in the
 * audit log, read back by the server.
 */
export function RemovalDialog({ title, confirmLabel, children, send, close }: Props) {
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const { keyFor, done } = useIdempotencyKey()
  const remove = useMutation({
    mutationFn: () => send(reason, keyFor({ title, reason })),
    onSuccess: () => {
      done()
      void refreshAll(queryClient)
    },
  })
  if (remove.data !== undefined) return <WrittenEvent {...remove.data} close={close} />
  const beside = messageAbout(remove.error, 'reason')
  return (
    <ConfirmDialog
      isOpen
      title={title}
      confirmLabel={confirmLabel}
      tone="danger"
      isBusy={remove.isPending}
      error={beside === undefined ? remove.error : null}
      onConfirm={() => {
        if (reason.trim() !== '') return remove.mutate()
        setMissing(true)
        input.current?.focus()
      }}
      onClose={close}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <Textarea
        ref={input}
        label="Reason"
        description="Who allowed it, and on what ground"
        withAsterisk
        aria-required
        data-autofocus
        autosize
        minRows={2}
        maxLength={1_000}
        mt="md"
        value={reason}
        error={missing ? 'Say why. Without a reason nothing is lifted.' : beside}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}

function WrittenEvent({ event, words, close }: { event: AuditEvent; words: string; close: () => void }) {
  const canOpen = useCan('audit.read')
  return (
    <Modal opened onClose={close} title="Removed, and written down" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm">{words}</Text>
      <dl className={classes.facts}>
        <dt>Event</dt>
        <dd>
          {event.action}, number {event.sequence.toLocaleString('en-ZA')}
        </dd>
        <dt>By</dt>
        <dd>{event.actor.name}</dd>
        <dt>At</dt>
        <dd>
          <DateTime at={event.at} as="dateTime" />
        </dd>
        <dt>Reason</dt>
        <dd>{event.reason}</dd>
      </dl>
      <Group justify="flex-end" gap="xs">
        {canOpen && (
          <Link to="/audit" search={{ event: event.id }} className={classes.auditLink}>
            Open in the audit log
          </Link>
        )}
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </Modal>
  )
}
