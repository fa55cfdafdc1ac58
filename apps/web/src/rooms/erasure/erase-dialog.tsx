import { Button, Checkbox, Group, Modal, Text, Textarea, TextInput } from '@mantine/core'
import type { Business, ErasedBusiness } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { messageAbout } from '../../ui/api-problem.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { formatNumber } from '../../ui/format.ts'
import { useIdempotencyKey } from '../../ui/idempotency.ts'
import { nameText } from '../../ui/name-text.ts'
import { useCan } from '../../ui/session.ts'

type Asked = { reason: string; suppress: boolean }

const eraseBusiness = (id: string, body: Asked, idempotencyKey: string) =>
  api.post<ErasedBusiness>(`/businesses/${id}/erasure`, { body, idempotencyKey })

/** The end of a record: its name typed, a reason, a fresh proof (asked for over the page), and then the event as the server read it back. */
export function EraseDialog({ business, close }: { business: Business; close: () => void }) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [suppress, setSuppress] = useState(false)
  const [isTold, setIsTold] = useState(false)
  const { keyFor, done } = useIdempotencyKey()
  const body: Asked = { reason, suppress }
  const erase = useMutation({
    mutationFn: () => eraseBusiness(business.id, body, keyFor({ id: business.id, ...body })),
    onSuccess: () => {
      done()
      const keys = [['business'], ['businesses'], ['pipeline'], ['suppressions'], ['exports']]
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
    },
  })
  if (erase.data !== undefined) return <Written made={erase.data} close={close} />
  const name = nameText(business.name)
  const isNamed = typed.trim() === business.name.trim()
  const beside = messageAbout(erase.error, 'reason')
  const isBlocked = business.doNotContact !== null
  return (
    <ConfirmDialog
      isOpen
      title={`Erase ${name} for good?`}
      confirmLabel="Erase for good"
      tone="danger"
      isBusy={erase.isPending}
      error={beside === undefined ? erase.error : null}
      onConfirm={() => {
        setIsTold(true)
        if (isNamed && reason.trim() !== '') erase.mutate()
      }}
      onClose={close}
    >
      <Text size="sm">
        Everything that it says goes: names, addresses and numbers, evidence, notes, what was said in interactions, what
        the audit log holds of it, and every record that was merged into it. Nobody can bring it back. That there was a
        record, and who did what when, stays.
      </Text>
      <Text size="sm" mt="xs" fw={500}>
        {isBlocked
          ? 'It is do not contact: its addresses, numbers and domains stay suppressed by a hash of each.'
          : 'Suppression entries stay as they are.'}
      </Text>
      {!isBlocked && (
        <Checkbox
          mt="sm"
          label="Keep its addresses, numbers and domains suppressed, by a hash of each"
          checked={suppress}
          onChange={(event) => setSuppress(event.currentTarget.checked)}
        />
      )}
      <Textarea
        label="Reason"
        description="On what ground. It stays in the audit log, so name nobody"
        withAsterisk
        aria-required
        data-autofocus
        autosize
        minRows={2}
        maxLength={1_000}
        mt="md"
        value={reason}
        error={isTold && reason.trim() === '' ? 'Say why. Without a reason nothing is erased.' : beside}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextInput
        label="Name of the record"
        description={`Type ${name} to confirm`}
        withAsterisk
        aria-required
        autoComplete="off"
        mt="md"
        value={typed}
        error={isTold && !isNamed ? 'This is not its name.' : null}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

const words: [keyof ErasedBusiness['erased'], one: string, many: string][] = [
  ['records', 'record', 'records'],
  ['evidence', 'observation', 'observations'],
  ['notes', 'note', 'notes'],
  ['interactions', 'interaction', 'interactions'],
  ['merges', 'merge', 'merges'],
  ['auditEvents', 'audit event emptied', 'audit events emptied'],
  ['exports', 'export taken away', 'exports taken away'],
]

function Written({ made: { erased, event }, close }: { made: ErasedBusiness; close: () => void }) {
  const canOpen = useCan('audit.read')
  const parts = words.flatMap(([key, one, many]) =>
    erased[key] === 0 ? [] : [`${formatNumber(erased[key])} ${erased[key] === 1 ? one : many}`],
  )
  return (
    <Modal opened onClose={close} title="Erased, and written down" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm">{parts.join(', ')}.</Text>
      {erased.tombstones > 0 && (
        <Text size="sm" mt="xs">
          {formatNumber(erased.tombstones)} of its addresses, numbers and domains stay suppressed by a hash.
        </Text>
      )}
      <Text size="sm" mt="xs" c="dimmed">
        {event.action}, number {event.sequence.toLocaleString('en-ZA')}, by {event.actor.name},{' '}
        <DateTime at={event.at} as="dateTime" />: {event.reason}
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        {canOpen && (
          <Button variant="default" component={Link} to={`/audit?event=${event.id}`}>
            Open in the audit log
          </Button>
        )}
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </Modal>
  )
}
