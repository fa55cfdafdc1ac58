import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { designateSourceDesks, type SourceDesks } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { desksQuery, refreshSources } from './sources.queries.ts'

/** Dialog to designate the approvers of each desk. */
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

const unique = (members: SourceDesks['legal']) => [...new Map(members.map((member) => [member.id, member])).values()]

const desksInOrder = ['product', 'legal', 'security'] as const

function Designate({ desks, close }: { desks: SourceDesks; close: () => void }) {
  const queryClient = useQueryClient()
  const active = usePeopleOptions()
  // A member of a desk who is no longer active stays on it until somebody removes them.
  const others = desksInOrder
    .flatMap((desk) => desks[desk])
    .filter(({ id }) => !active.some(({ value }) => value === id))
  const people = [
    ...active,
    ...unique(others).map(({ id, name, isActive }) => ({
      value: id,
      label: `${nameText(name)}${isActive ? '' : ' (not active)'}`,
    })),
  ]
  const nameOf = (id: string) => people.find(({ value }) => value === id)?.label ?? 'someone who left'
  const namesOf = (ids: string[]) => ids.map(nameOf)
  const idsOf = (members: SourceDesks['legal']) => members.map(({ id }) => id)
  return (
    <FormDialog
      title="Desks"
      submitLabel="Save desks"
      what="the desks"
      initial={{ product: idsOf(desks.product), legal: idsOf(desks.legal), security: idsOf(desks.security) }}
      edits={{
        reload: () => refreshSources(queryClient),
        lines: { product: namesOf, legal: namesOf, security: namesOf },
      }}
      send={(body) => dataOf(designateSourceDesks({ body, ...ifMatch(desks.version) }))}
      onSaved={() => {
        void refreshSources(queryClient)
        notifications.show({ message: 'Desks saved' })
        close()
      }}
      close={close}
    >
      {({ form }) => (
        <>
          <Text size="sm">
            Each version needs the approval of three members, one from each desk. The author of a version cannot approve
            it.
          </Text>
          {desksInOrder.map((desk) => (
            <MultiSelect
              key={desk}
              label={`${desk.charAt(0).toUpperCase()}${desk.slice(1)}`}
              data={people}
              maxValues={50}
              {...form.getInputProps(desk)}
            />
          ))}
        </>
      )}
    </FormDialog>
  )
}
