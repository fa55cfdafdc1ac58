import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ErasedBusiness, eraseBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErasureDialog } from '../../ui/dialogs/erasure-dialog.tsx'
import { By } from '../../ui/layout/facts.tsx'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'

/** Dialog that erases a record, and then shows the audit event that the server read back. */
export function EraseDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const [erased, setErased] = useState<ErasedBusiness | null>(null)
  if (erased !== null) return <Written made={erased} close={close} />
  const isBlocked = business.doNotContact !== null
  return (
    <ErasureDialog
      name={business.name}
      noun="record"
      draftName={`erase-${business.id}`}
      explanation={
        <>
          <Text size="sm">
            This deletes the names, addresses, numbers, evidence, notes and interaction texts of the record, their
            copies in the audit log, and all records merged into this one. The deletion cannot be undone. The audit log
            still shows that a record existed and what happened to it.
          </Text>
          <Text size="sm" fw={500}>
            {isBlocked
              ? 'The prospect is marked do not contact, so its addresses, numbers and domains stay blocked, in a form that nobody can read.'
              : 'The do-not-contact list does not change.'}
          </Text>
        </>
      }
      suppressLabel={
        isBlocked
          ? null
          : 'Keep the addresses, numbers and domains of the record blocked, in a form that nobody can read'
      }
      send={(body, key) => dataOf(eraseBusiness({ path: { businessId: business.id }, body, ...withKey(key) }))}
      onSaved={(answer, isMounted) => {
        void refreshRecords(queryClient)
        if (!isMounted()) notifications.show({ message: `${nameText(business.name)} erased permanently` })
        setErased(answer)
      }}
      close={close}
      reopen={reopen}
    />
  )
}

const words: [keyof ErasedBusiness['erased'], one: string, many: string][] = [
  ['records', 'record', 'records'],
  ['evidence', 'observation', 'observations'],
  ['notes', 'note', 'notes'],
  ['interactions', 'interaction', 'interactions'],
  ['merges', 'merge', 'merges'],
  ['auditEvents', 'audit event without its content', 'audit events without their content'],
  ['exports', 'export deleted', 'exports deleted'],
]

function Written({ made: { erased, event }, close }: { made: ErasedBusiness; close: () => void }) {
  const canOpen = useCan('audit.read')
  const parts = words.flatMap(([key, one, many]) => (erased[key] === 0 ? [] : [countWords(erased[key], one, many)]))
  return (
    <Dialog onClose={close} title="Erased">
      <Text size="sm">{parts.join(', ')}.</Text>
      {erased.tombstones > 0 && (
        <Text size="sm" mt="xs">
          {formatNumber(erased.tombstones)} of the addresses, numbers and domains stay blocked, in a form that nobody
          can read.
        </Text>
      )}
      <Text size="sm" mt="xs" c="dimmed">
        Number {formatNumber(event.sequence)} in the audit log, by <By person={event.actor} at={event.at} />:{' '}
        <Name of={event.reason ?? ''} />
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        {canOpen && (
          <Button variant="default" component={Link} to={`/audit?event=${event.id}`}>
            Open in audit log
          </Button>
        )}
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </Dialog>
  )
}
