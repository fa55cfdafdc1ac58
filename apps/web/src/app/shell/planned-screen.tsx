import { useQuery } from '@tanstack/react-query'
import { capabilitiesQuery, capabilityWords } from '../../ui/api/capabilities.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { plannedPlaces } from '../places.ts'
import classes from './planned.module.css'

/** The places that are not built: the purpose of each, its status, and the reason that the server gives. */
export function PlannedScreen() {
  const { data, error, isPending, refetch } = useQuery(capabilitiesQuery)
  return (
    <Page width="text" title="Planned" lead="Screens that are not available yet.">
      {data === undefined && error !== null && <Failed what="the status" error={error} retry={() => void refetch()} />}
      {plannedPlaces.map(({ id, label, purpose, phase }) => (
        <section key={id} id={id} className={classes.place} aria-labelledby={`${id}-name`}>
          <h2 id={`${id}-name`}>{label}</h2>
          <p>{purpose}</p>
          {isPending && <LoadingLines lines={1} />}
          {data
            ?.filter((capability) => capability.phase === phase)
            .map(({ area, status, reason }) => (
              <p key={area}>
                {area}: {capabilityWords[status].toLowerCase()}. {reason}
              </p>
            ))}
        </section>
      ))}
    </Page>
  )
}
