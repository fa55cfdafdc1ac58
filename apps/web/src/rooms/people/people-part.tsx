import { Button } from '@mantine/core'
import type { Business, Person } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { useRecordPage } from '../../ui/rooms/record-page.ts'
import { formatDay, phoneText } from '../../ui/text/format.ts'
import { languageName } from '../../ui/text/languages.ts'
import { Name } from '../../ui/text/name.tsx'
import { BlockPersonDialog } from './block-person-dialog.tsx'
import { DepartureDialog } from './departure-dialog.tsx'
import { ErasePersonDialog } from './erase-person-dialog.tsx'
import { JoinDialog } from './join-dialog.tsx'
import classes from './people.module.css'
import { peopleQuery } from './people.queries.ts'
import { EditPersonDialog } from './person-dialog.tsx'
import { alikeWords, inOrder, joinable, joinedTo } from './person-values.ts'
import { SeparateDialog } from './separate-dialog.tsx'

/** The people at a prospect, above the facts of the record. */
export function PeoplePart({ business }: { business: Business }) {
  const list = useInfiniteQuery(peopleQuery(business.id))
  const page = useRecordPage()
  const canAdd = useCanWork('people.write', business)
  // A person who asks not to be contacted is marked whatever the state of the record.
  const canBlock = useCan('people.write') && business.erasedAt === null
  const canErase = useCan('erasure.erase')
  const editing = useDialog<Person>()
  const erasing = useDialog<Person>()
  const leaving = useDialog<Person>()
  const blocking = useDialog<Person>()
  const joining = useDialog<{ person: Person; people: readonly Person[] }>()
  const separating = useDialog<Person>()
  return (
    <section aria-labelledby="record-people" className={classes.part}>
      <h2 id="record-people">People</h2>
      <ListBody
        list={list}
        data={list.data}
        noun="people"
        lines={2}
        empty={<p className={classes.soft}>No people yet.</p>}
      >
        {(items) => (
          <ul className={classes.people} aria-label="People, those who left last">
            {inOrder(items.filter(({ joinedIntoId }) => joinedIntoId === null)).map((person) => (
              <li key={person.id}>
                <PersonLine person={person} people={items} />
                {joinedTo(person, items).map((other) => (
                  <span key={other.id} className={classes.soft}>
                    Joined with <Name of={other.name} />{' '}
                    {canAdd && (
                      <Button size="compact-xs" variant="default" onClick={() => separating.open(other)}>
                        Separate…
                        <Of person={other} />
                      </Button>
                    )}
                  </span>
                ))}
                {person.erasedAt === null && (
                  <span className={classes.actions}>
                    {canAdd && (
                      <Button size="compact-xs" variant="default" onClick={() => editing.open(person)}>
                        Edit
                        <Of person={person} />
                      </Button>
                    )}
                    {canAdd && person.leftOn === null && (
                      <Button size="compact-xs" variant="default" onClick={() => leaving.open(person)}>
                        Left…
                        <Of person={person} />
                      </Button>
                    )}
                    {canAdd && joinable(person, items).length > 0 && (
                      <Button
                        size="compact-xs"
                        variant="default"
                        onClick={() => joining.open({ person, people: items })}
                      >
                        Join…
                        <Of person={person} />
                      </Button>
                    )}
                    {canBlock && person.doNotContact?.byHand == null && (
                      <Button size="compact-xs" variant="default" onClick={() => blocking.open(person)}>
                        Do not contact…
                        <Of person={person} />
                      </Button>
                    )}
                    {canErase && (
                      <Button size="compact-xs" variant="default" onClick={() => erasing.open(person)}>
                        Erase…
                        <Of person={person} />
                      </Button>
                    )}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </ListBody>
      {canAdd && (
        <Button size="compact-sm" variant="default" onClick={() => page.openDialog('person')}>
          Add a person…
        </Button>
      )}
      {editing.slot((person, dialog) => (
        <EditPersonDialog person={person} businessId={business.id} {...dialog} />
      ))}
      {leaving.slot((person, dialog) => (
        <DepartureDialog person={person} businessId={business.id} {...dialog} />
      ))}
      {joining.slot((both, dialog) => (
        <JoinDialog {...both} businessId={business.id} {...dialog} />
      ))}
      {separating.slot((person, dialog) => (
        <SeparateDialog person={person} businessId={business.id} {...dialog} />
      ))}
      {erasing.slot((person, dialog) => (
        <ErasePersonDialog person={person} businessId={business.id} {...dialog} />
      ))}
      {blocking.slot((person, dialog) => (
        <BlockPersonDialog person={person} businessId={business.id} {...dialog} />
      ))}
    </section>
  )
}

/** The name of the person in the label of a button, for screen readers. */
function Of({ person }: { person: Person }) {
  return (
    <span className="pp-visually-hidden">
      {' '}
      <Name of={person.name} />
    </span>
  )
}

function PersonLine({ person, people }: { person: Person; people: readonly Person[] }) {
  const alike = alikeWords(person, people)
  return (
    <>
      <span className={classes.name}>
        <Name of={person.name} />
      </span>
      {person.role !== null && <Name of={person.role} />}
      {person.doNotContact !== null && <DoNotContactMark />}
      {[...person.phones, ...person.emails].map(({ value, normalized, label }) => (
        <span key={value}>
          <Name of={phoneText(normalized ?? value)} />
          {label !== null && (
            <span className={classes.soft}>
              {' '}
              (<Name of={label} />)
            </span>
          )}
        </span>
      ))}
      {person.language !== null && <span className={classes.soft}>Speaks {languageName(person.language)}</span>}
      {person.note !== null && (
        <span className={classes.soft}>
          <Name of={person.note} />
        </span>
      )}
      {person.leftOn !== null && <span className={classes.soft}>Left {formatDay(person.leftOn)}</span>}
      {alike !== null && (
        <span className={classes.soft}>
          <Name of={alike} />
        </span>
      )}
    </>
  )
}
