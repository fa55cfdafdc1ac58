import { notifications } from '@mantine/notifications'
import { joinPeople, type Person } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { phoneText } from '../../ui/text/format.ts'
import { languageName } from '../../ui/text/languages.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { refreshPeople } from './people.queries.ts'
import { fieldOf, labels, PersonFields, problemsOf } from './person-dialog.tsx'
import { joinable, joinBody, joinedValues, type PersonValues, valuesOf } from './person-values.ts'

type JoinValues = PersonValues & { other: string | null }

/** Dialog that joins another person of the prospect into this one. It shows both side by side, and below them the values to keep. */
export function JoinDialog({
  person,
  people,
  businessId,
  close,
  reopen,
}: DialogProps & { person: Person; people: readonly Person[]; businessId: string }) {
  const queryClient = useQueryClient()
  const { country } = useSession().tenant
  const others = joinable(person, people)
  const first = others.find(({ id }) => person.alike.some((one) => one.id === id))
  const chosen = (id: string | null) => others.find((one) => one.id === id)
  const name = nameText(person.name)
  return (
    <FormDialog<JoinValues, Person>
      title={`Join ${name} with the same person`}
      submitLabel="Join"
      what={`the join of ${name}`}
      initial={
        first === undefined ? { other: null, ...valuesOf(person) } : { other: first.id, ...joinedValues(person, first) }
      }
      validate={({ other, ...values }) => ({
        ...problemsOf(values),
        ...(other === null && { other: 'Choose the person who is the same one.' }),
      })}
      fieldOf={(path) => (path === 'with' ? 'other' : fieldOf(path))}
      send={async ({ other: id, ...values }) => {
        const other = chosen(id)
        if (other === undefined) throw new Error('A join was sent without the other person.')
        const body = joinBody(values, person, other, country)
        return dataOf(joinPeople({ path: { personId: person.id }, body, ...ifMatch(person.version) }))
      }}
      onSaved={() => {
        void refreshPeople(queryClient, businessId)
        notifications.show({ message: `${name} joined.` })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      {(save) => {
        const other = chosen(save.values.other)
        return (
          <>
            <Select
              label="Same person as"
              description="Both stay stored, and can be separated again. Do not contact holds for both, for good."
              searchable
              required
              data-autofocus
              data={others.map(({ id, name: text, role }) => ({
                value: id,
                label: role === null ? nameText(text) : `${nameText(text)}, ${role}`,
              }))}
              {...save.form.getInputProps('other')}
              onChange={(id) => {
                const next = chosen(id)
                if (next !== undefined) save.set({ other: id, ...joinedValues(person, next) })
              }}
            />
            {other !== undefined && <SideBySide people={[person, other]} />}
            <PersonFields save={save} isFirst={false} />
          </>
        )
      }}
    </FormDialog>
  )
}

const rows = ['role', 'emails', 'phones', 'language', 'note'] as const

/** Two people side by side, without the facts that both lack. */
function SideBySide({ people }: { people: readonly [Person, Person] }) {
  const shown = rows.filter((row) => people.some((person) => linesOf(person, row).length > 0))
  return (
    <FixedTable aria-label="Both people">
      <thead>
        <tr>
          <th scope="col">
            <span className="pp-visually-hidden">Fact</span>
          </th>
          {people.map(({ id, name }) => (
            <th scope="col" key={id}>
              <Name of={name} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={row}>
            <th scope="row">{labels[row]}</th>
            {people.map((person) => (
              <td key={person.id}>
                <Name of={linesOf(person, row).join(', ')} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}

function linesOf(person: Person, row: (typeof rows)[number]): string[] {
  const value = person[row]
  if (value === null) return []
  if (row === 'language') return [languageName(String(value))]
  return typeof value === 'string' ? [value] : value.map((one) => phoneText(one.normalized ?? one.value))
}
