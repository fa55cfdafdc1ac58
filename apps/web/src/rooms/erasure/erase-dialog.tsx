import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ErasedBusiness, eraseBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { useCan } from '../../ui/api/session.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { isTypedAs, nameText } from '../../ui/text/name-text.ts'

/** The end of a record: its name typed, a reason, a fresh proof (asked for over the page), and then the event as the server read it back. */
export function EraseDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const [suppress, setSuppress] = useState(false)
  const [isTold, setIsTold] = useState(false)
  const [made, setMade] = useState<ErasedBusiness | null>(null)
  if (made !== null) return <Written made={made} close={close} />
  const name = nameText(business.name)
  const isNamed = isTypedAs(typed, business.name)
  const isBlocked = business.doNotContact !== null
  return (
    <ReasonDialog
      draftName={`erase-${business.id}`}
      title={`Erase ${name} for good?`}
      confirmLabel="Erase for good"
      tone="danger"
      description="On what ground. It stays in the audit log, so name nobody"
      missing="Say why. Without a reason nothing is erased."
      more={
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
      }
      isReady={() => {
        setIsTold(true)
        return isNamed
      }}
      payload={suppress}
      send={(reason, key) =>
        dataOf(eraseBusiness({ path: { businessId: business.id }, body: { reason, suppress }, ...withKey(key) }))
      }
      sent={(erased, _reason, isHere) => {
        // What was read of it and is not on screen would be shown once more, until it is read again.
        queryClient.removeQueries({ type: 'inactive', predicate: ({ meta }) => meta?.isPart !== true })
        void refreshRecords(queryClient)
        for (const queryKey of [answersAbout('suppression'), answersAbout('exports')])
          void queryClient.invalidateQueries({ queryKey })
        if (!isHere) notifications.show({ message: `${name} is erased for good.` })
        setMade(erased)
      }}
      close={close}
      reopen={reopen}
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
    </ReasonDialog>
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
    <Dialog onClose={close} title="Erased, and written down">
      <Text size="sm">{parts.join(', ')}.</Text>
      {erased.tombstones > 0 && (
        <Text size="sm" mt="xs">
          {formatNumber(erased.tombstones)} of its addresses, numbers and domains stay suppressed by a hash.
        </Text>
      )}
      <Text size="sm" mt="xs" c="dimmed">
        Number {formatNumber(event.sequence)} in the audit log, by <Name of={event.actor.name} />,{' '}
        <DateTime at={event.at} as="dateTime" />: <Name of={event.reason ?? ''} />
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
    </Dialog>
  )
}
