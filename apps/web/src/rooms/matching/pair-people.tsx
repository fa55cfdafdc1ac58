import { type Business, listPeopleOnBoth } from '@prospect/api-client'
import { listPeopleOnBothQueryKey } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { listWords } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { Row } from './aligned-row.tsx'
import classes from './compare.module.css'

const words = { name: 'name', email: 'address', phone: 'number' } as const

/** The people of both records who may be one, side by side. Renders nothing if there are none. */
export function PairPeople({
  suggestionId,
  businesses,
}: {
  suggestionId: string
  businesses: readonly Pick<Business, 'version'>[]
}) {
  const path = { suggestionId }
  const canRead = useCan('people.read')
  const { data } = useQuery({
    queryKey: [...listPeopleOnBothQueryKey({ path }), businesses.map(({ version }) => version)],
    queryFn: ({ signal }) => dataOf(listPeopleOnBoth({ path, signal })),
    enabled: canRead,
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <section aria-labelledby="pair-people">
      <h2 id="pair-people" className={classes.part}>
        People on both
      </h2>
      <p className={classes.soft}>
        They do not change the score. A merge keeps both; join them on the record afterwards.
        {!data.isComplete && ' Only the first are shown.'}
      </p>
      <div className={classes.aligned}>
        {data.items.map(({ people, because }) => (
          <Row
            key={people.map(({ id }) => id).join(' ')}
            label={`Same ${listWords(because.map((one) => words[one]))}`}
            cells={people.map(({ id, name, role }) => (
              <span key={id}>
                <Name of={name} />
                {role !== null && (
                  <>
                    {', '}
                    <Name of={role} />
                  </>
                )}
              </span>
            ))}
          />
        ))}
      </div>
    </section>
  )
}
