import { MultiSelect, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { designateSourceDesks, type SourceDesks } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { desksQuery, refreshSources } from './sources.queries.ts'

/** Designates who may approve for which desk. */
export function DesksDialog({ close }: { close: () => void }) {
  const desks = useQuery(desksQuery)
  if (desks.data !== undefined) return <Designate desks={desks.data} close={close} />
  return (
    <Dialog onClose={close} title="Desks">
      <RecordBody record={desks} what="the desks" lines={4} isPage={false}>
        {() => null}
      </RecordBody>
    </Dialog>
  )
}

function Designate({ desks, close }: { desks: SourceDesks; close: () => void }) {
  const queryClient = useQueryClient()
  const people = usePeopleOptions()
  const idsOf = (members: SourceDesks['legal']) => members.map(({ id }) => id)
  const [chosen, setChosen] = useState({
    product: idsOf(desks.product),
    legal: idsOf(desks.legal),
    security: idsOf(desks.security),
  })
  const save = useMutation({
    meta: { notSaved: 'the desks' },
    mutationFn: () => dataOf(designateSourceDesks({ body: chosen, ...ifMatch(desks.version) })),
    onSuccess: () => {
      void refreshSources(queryClient)
      notifications.show({ message: 'The desks are designated.' })
      close()
    },
  })
  return (
    <ConfirmDialog
      title="Desks"
      confirmLabel="Designate"
      isBusy={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate()}
      onClose={close}
    >
      <Stack gap="sm">
        <Text size="sm">
          A version is approved by three different members, one for each desk. Its author approves nothing of it.
        </Text>
        {(['product', 'legal', 'security'] as const).map((desk) => (
          <MultiSelect
            key={desk}
            label={`${desk.charAt(0).toUpperCase()}${desk.slice(1)}`}
            searchable
            data={people}
            value={chosen[desk]}
            maxValues={50}
            onChange={(ids) => setChosen({ ...chosen, [desk]: ids })}
          />
        ))}
      </Stack>
    </ConfirmDialog>
  )
}
