import { Button } from '@mantine/core'
import type { FilterInput, SimilarNames } from '@prospect/api-client'
import { findSimilarNamesOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../../ui/api/session.ts'
import { Empty, FilteredToNothing } from '../../../ui/layout/states.tsx'
import { DoNotContactMark } from '../../../ui/prospects/do-not-contact-mark.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { conditionOf } from './filter-fields.ts'
import classes from './no-match.module.css'
import { conditionsOf, filterPatch, type ProspectSearch, type SearchPatch } from './prospect-search.ts'

const SEARCHED = 'names, registration numbers, emails, phones and domains with their labels, but not notes or evidence'

type Props = {
  search: ProspectSearch
  change: (patch: SearchPatch) => void
  clear: () => void
}

/** Notice for a list without a match. If the list was searched, or filtered by a city, it offers similar names and the city that was meant. */
export function NoMatch({ search, change, clear }: Props) {
  const { tenant, user } = useSession()
  const { timeZone } = tenant
  const conditions = conditionsOf(search, timeZone)
  const city = cityAsked(conditions)
  const asked = search.q ?? city
  const { data } = useQuery({ ...findSimilarNamesOptions({ query: { q: asked ?? '' } }), enabled: asked !== undefined })
  return (
    <>
      {isOnlyMine(conditions, user.id) ? (
        <Empty
          title="Nothing is assigned to you yet"
          action={
            <Button variant="default" onClick={clear}>
              Show all prospects
            </Button>
          }
        >
          You or a manager can assign prospects to you.
        </Empty>
      ) : (
        <FilteredToNothing what="prospects" clear={clear} searched={search.q === undefined ? undefined : SEARCHED} />
      )}
      {/* Stays mounted while the hints load: screen readers announce changes only in an existing live region. */}
      <div role="status" aria-label="Suggestions" className={classes.hints}>
        {data !== undefined && (
          <>
            {data.city !== null && data.city.toLowerCase() !== city?.toLowerCase() && (
              <CityHint
                city={data.city}
                choose={(meant) => change(filterPatch(withCity(conditions, meant), timeZone))}
              />
            )}
            {search.q !== undefined && data.items.length > 0 && <SimilarList items={data.items} />}
            {data.isRenewing && (
              <p>Search data is being updated. Some spellings are not found until the update ends.</p>
            )}
          </>
        )}
      </div>
    </>
  )
}

function CityHint({ city, choose }: { city: string; choose: (city: string) => void }) {
  return (
    <p>
      <Button variant="default" onClick={() => choose(city)}>
        Did you mean {nameText(city)}?
      </Button>
    </p>
  )
}

function SimilarList({ items }: { items: SimilarNames['items'] }) {
  return (
    <section aria-labelledby="similar-names">
      <h2 id="similar-names">Similar names</h2>
      <ul>
        {items.map(({ id, name, doNotContact }) => (
          <li key={id}>
            <Link to="/prospects/$businessId" params={{ businessId: id }}>
              <Name of={name} />
            </Link>
            {doNotContact && <DoNotContactMark />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** True for the list that an operator begins with: the prospects that are assigned to the person, and no other condition. */
const isOnlyMine = ([only, ...others]: FilterInput, userId: string): boolean =>
  others.length === 0 && only?.field === 'assignee' && only.op === 'any_of' && only.values.join() === userId

/** Returns the only city that a list is filtered by. */
function cityAsked(conditions: FilterInput): string | undefined {
  const cities = conditions.filter(({ field, op }) => field === 'city' && (op === 'any_of' || op === 'contains'))
  const [only, ...others] = cities.flatMap(({ values }): readonly unknown[] => values)
  return typeof only === 'string' && others.length === 0 ? only : undefined
}

/** The conditions with the city that was meant, in place of the search text or of the typed city. */
const withCity = (conditions: FilterInput, city: string): FilterInput => [
  ...conditions.filter(({ field }) => field !== 'city' && field !== 'q'),
  conditionOf('city', 'any_of', [city]),
]
