import { Button, Checkbox, TextInput } from '@mantine/core'
import { type ContactCandidate, decideContactCandidate } from '@prospect/api-client'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useActions } from '../../ui/actions/actions.ts'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { type DialogProps, useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { refusedWith } from '../../ui/forms/save-failure.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { FilterBar, FilterSelect } from '../../ui/lists/filters.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { useCards } from '../../ui/lists/use-cards.ts'
import { type ListSearch, useListSearch } from '../../ui/lists/use-list-search.ts'
import { peopleToName, personOptions } from '../../ui/prospects/people-choice.ts'
import { countryName } from '../../ui/text/countries.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { type ContactSearch, otherStates, parseContactSearch } from './contact-search.ts'
import { kindWords, labelsOf, reasonsOf, rulesInOrder, ruleWords, stateWords } from './contact-words.ts'
import classes from './contacts.module.css'
import { contactsQuery, refreshContacts } from './contacts.queries.ts'

type Decision = 'accept' | 'reject' | 'release'
type Deciding = { candidate: ContactCandidate; decision: Decision }

const decisionWords: Readonly<Record<Decision, string>> = { accept: 'Accept', reject: 'Reject', release: 'Release' }

export function ContactsScreen() {
  return <Contacts {...useListSearch(parseContactSearch)} />
}

/** Queue of candidates in one state, each beside the page that contains it. */
function Contacts({ search, set, clear, isFiltered }: ListSearch<ContactSearch>) {
  const { show, kind } = search
  const state = show ?? 'open'
  const list = useInfiniteQuery(contactsQuery({ state, ...(kind !== undefined && { kind }) }))
  const deciding = useDialog<Deciding>()
  const { cards, move, press } = useCards<HTMLDivElement, Decision>()
  const group = 'Contacts'
  const permission = 'contacts.decide'
  useActions('screen', [
    { id: 'contacts-next', label: 'Next candidate', group, keys: 'j', inPalette: false, run: move(1) },
    { id: 'contacts-previous', label: 'Previous candidate', group, keys: 'k', inPalette: false, run: move(-1) },
    { id: 'contacts-accept', label: 'Accept candidate', group, keys: 'y', permission, run: press('accept') },
    { id: 'contacts-reject', label: 'Reject candidate', group, keys: 'r', permission, run: press('reject') },
    { id: 'contacts-release', label: 'Release candidate', group, keys: 'shift+l', permission, run: press('release') },
  ])
  return (
    <Page
      title="Contacts"
      lead="Emails and phone numbers found on official websites. Accepting one does not give permission to contact."
    >
      <FilterBar isFiltered={isFiltered} clear={clear}>
        <FilterSelect
          label="State"
          placeholder={stateWords.open}
          options={otherStates.map((value) => ({ value, label: stateWords[value] }))}
          value={show}
          onChange={(next) => set({ show: next })}
        />
        <FilterSelect
          label="Kind"
          placeholder="Emails and phones"
          options={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(next) => set({ kind: next })}
        />
      </FilterBar>
      <ListBody
        list={list}
        data={list.data}
        noun="candidates"
        clear={kind === undefined ? null : clear}
        empty={
          <Empty title={`No candidate is “${stateWords[state]}”`}>
            Contacts appear here after someone extracts them from pages of an approved official site.
          </Empty>
        }
      >
        {(items) => (
          <div ref={cards} className={classes.list}>
            {state === 'quarantined' ? (
              <Quarantine items={items} decide={deciding.open} />
            ) : (
              <Cards label="Contact candidates" items={items} level={2} decide={deciding.open} />
            )}
          </div>
        )}
      </ListBody>
      {deciding.slot((decision, dialog) => (
        <DecideContactDialog {...decision} {...dialog} />
      ))}
    </Page>
  )
}

const decisionsOf: Readonly<Partial<Record<ContactCandidate['state'], readonly Decision[]>>> = {
  open: ['accept', 'reject'],
  known: ['accept'],
  quarantined: ['release'],
}

type Decide = (deciding: Deciding) => void

/** Quarantined candidates in one section per rule. Pages loaded later add to the sections. */
function Quarantine({ items, decide }: { items: ContactCandidate[]; decide: Decide }) {
  const byRule = Map.groupBy(items, ({ rule }) => rule)
  return rulesInOrder.map((rule) => {
    const candidates = byRule.get(rule) ?? []
    if (candidates.length === 0) return null
    return (
      <section key={rule} aria-labelledby={`rule-${rule}`}>
        <h2 id={`rule-${rule}`} className={classes.part}>
          {ruleWords[rule]}
        </h2>
        <Cards label={ruleWords[rule]} items={candidates} level={3} decide={decide} />
      </section>
    )
  })
}

type CardsProps = { label: string; items: readonly ContactCandidate[]; level: 2 | 3; decide: Decide }

function Cards({ label, items, level, decide }: CardsProps) {
  return (
    <ol className={classes.candidates} aria-label={label}>
      {items.map((candidate) => (
        <li key={candidate.id}>
          <CandidateCard candidate={candidate} level={level} decide={decide} />
        </li>
      ))}
    </ol>
  )
}

type CardProps = { candidate: ContactCandidate; level: 2 | 3; decide: Decide }

function CandidateCard({ candidate, level, decide }: CardProps) {
  const { value, business, state, sightings } = candidate
  const canDecide = useCan('contacts.decide')
  const reasons = reasonsOf(candidate)
  const Heading = `h${level}` as const
  return (
    <article
      className={classes.candidate}
      data-candidate
      tabIndex={-1}
      aria-label={`${phoneText(value ?? 'Emptied')} for ${business.name}`}
    >
      <div>
        <Heading className={classes.title}>{value === null ? 'Emptied' : <Name of={phoneText(value)} />}</Heading>
        <p>
          For{' '}
          <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
            <Name of={business.name} />
          </Link>
        </p>
        <p>{labelsOf(candidate).join(' · ')}</p>
        <ReadNumber of={candidate} />
        {reasons.for.length > 0 && <p>For: {reasons.for.join(', ')}</p>}
        {reasons.against.length > 0 && <p>Against: {reasons.against.join(', ')}</p>}
      </div>
      <ul aria-label="Pages" className={classes.pages}>
        {sightings.map((one) => (
          <li key={`${one.scanId} ${one.observedAt} ${one.location}`}>
            {one.pageUrl === null ? (
              'Emptied'
            ) : (
              <a href={one.pageUrl} target="_blank" rel="noopener noreferrer">
                {one.pageTitle || one.pageUrl}
              </a>
            )}{' '}
            <DateTime at={one.observedAt} />
            {one.pageTitle && one.pageUrl !== null && <p className={classes.meta}>{one.pageUrl}</p>}
            {one.context !== null && <p>{marked(one.context, value)}</p>}
          </li>
        ))}
      </ul>
      {canDecide && (
        <div className={classes.buttons}>
          {decisionsOf[state]?.map((decision) => (
            <Button
              key={decision}
              size="xs"
              variant={decision === 'reject' ? 'default' : 'light'}
              data-decision={decision}
              onClick={() => decide({ candidate, decision })}
            >
              {decisionWords[decision]}…
            </Button>
          ))}
        </div>
      )}
    </article>
  )
}

/** How a number in local form was read. The country is an assumption until a person accepts the number. */
function ReadNumber({ of: { normalized, region, state } }: { of: ContactCandidate }) {
  if (normalized === null || region === null) return null
  const isUndecided = decisionsOf[state] !== undefined
  return (
    <p>
      Read as {phoneText(normalized)},{' '}
      {isUndecided
        ? `because the country of the workspace is ${countryName(region)}. You can choose another country when you accept it.`
        : `a number of ${countryName(region)}.`}
    </p>
  )
}

/** The sentence with the value highlighted. */
function marked(context: string, value: string | null) {
  const at = value === null ? -1 : context.indexOf(value)
  if (value === null || at === -1) return context
  return (
    <>
      {context.slice(0, at)}
      <mark>{value}</mark>
      {context.slice(at + value.length)}
    </>
  )
}

/** Option for a person who is not recorded yet. */
const NEW_PERSON = 'new'

/** The part of a decision that names the person who gets the value. */
function personIn({ personId, name, role }: { personId: string | null; name: string; role: string }) {
  if (personId === null) return {}
  return personId === NEW_PERSON ? { newPerson: { name: name.trim(), role: role.trim() || null } } : { personId }
}

function DecideContactDialog({ candidate, decision, ...dialog }: Deciding & DialogProps) {
  const queryClient = useQueryClient()
  const { id, value, business, fingerprint, uncertainty, region: readWith } = candidate
  const isAccept = decision === 'accept'
  const canRead = useCan('people.read')
  const canGive = useCan('people.write') && canRead
  const { data: known } = useQuery({ ...peopleToName(business.id), enabled: canGive && isAccept })
  const isLocal = candidate.kind === 'phone' && (uncertainty === 'no_country_context' || readWith !== null)
  return (
    <DecisionDialog
      title={`${decisionWords[decision]} ${phoneText(value ?? 'this value')} for ${business.name}?`}
      label={decisionWords[decision]}
      next={
        isAccept &&
        'By accepting, you store evidence. The record changes only if you also add the value to the record, or choose a person.'
      }
      reason="Stored in the audit log"
      hasNoReason={isAccept}
      draftName={`decide-contact-${id}-${decision}`}
      extra={{
        initial: {
          region: readWith,
          label: '',
          addToRecord: false,
          personId: null as string | null,
          name: '',
          role: '',
        },
        validate: ({ personId, name }) =>
          personId === NEW_PERSON && !/\p{L}/u.test(name) ? { name: 'Enter a name with letters.' } : {},
        fields: ({ form, values }) =>
          isAccept && (
            <>
              {isLocal && (
                <CountrySelect
                  label="Country of the number"
                  description={
                    readWith === null
                      ? 'Without a country, the number stays unclear'
                      : 'The country of the workspace, because the page states no country'
                  }
                  clearable={readWith === null}
                  {...form.getInputProps('region')}
                  value={values.region}
                />
              )}
              <Checkbox
                label="Add to record"
                data-autofocus
                {...form.getInputProps('addToRecord', { type: 'checkbox' })}
              />
              {canGive && (
                <Select
                  label="Person"
                  description="Who is reached in this way"
                  clearable
                  searchable
                  data={[
                    ...personOptions((known?.items ?? []).filter(({ doNotContact }) => doNotContact?.byHand == null)),
                    { value: NEW_PERSON, label: 'A new person' },
                  ]}
                  {...form.getInputProps('personId')}
                />
              )}
              {values.personId === NEW_PERSON && (
                <>
                  <TextInput label="Name" required maxLength={inputLimits.personName} {...form.getInputProps('name')} />
                  <TextInput label="Role" maxLength={inputLimits.contactRole} {...form.getInputProps('role')} />
                </>
              )}
              <TextInput label="Label of the value" maxLength={80} {...form.getInputProps('label')} />
            </>
          ),
      }}
      send={({ reason, region, label, addToRecord, ...person }, key) =>
        dataOf(
          decideContactCandidate({
            path: { contactCandidateId: id },
            body: {
              decision,
              fingerprint,
              ...(isAccept ? { addToRecord, ...personIn(person) } : { reason }),
              ...(isAccept && region !== null && region !== readWith && { region }),
              ...(isAccept && label.trim() !== '' && { label: label.trim() }),
            },
            ...withKey(key),
          }),
        )
      }
      explain={async (error) => {
        if (!isProblem(error, 'candidate_changed', 'candidate_not_open')) return undefined
        await refreshContacts(queryClient)
        return { failure: refusedWith(error.message) }
      }}
      refresh={refreshContacts}
      {...dialog}
    />
  )
}
