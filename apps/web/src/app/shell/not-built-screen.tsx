import { IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { capabilitiesQuery, capabilityWords } from '../../ui/api/capabilities.ts'
import { Failed, LoadingLines, NotFound } from '../../ui/layout/states.tsx'
import { places } from '../places.ts'
import classes from './not-built.module.css'

/** A place that has no screen yet: what it will be for, its status, and the reason the server gives. */
export function NotBuiltScreen() {
  const { placeId } = useParams({ from: '/desk/$placeId' })
  const capabilities = useQuery(capabilitiesQuery)
  const place = places.find((candidate) => candidate.id === placeId && candidate.to === undefined)
  if (place === undefined) return <NotFound />
  const told = capabilities.data?.filter((capability) => capability.phase === place.phase) ?? []
  return (
    <div className={classes.notBuilt}>
      <title>{`${place.label} · Prospect Platform`}</title>
      <h1>{place.label}</h1>
      <p>{place.purpose}</p>
      {capabilities.isPending && <LoadingLines lines={2} />}
      {capabilities.isError && (
        <Failed what="the status" error={capabilities.error} retry={() => void capabilities.refetch()} />
      )}
      {capabilities.isSuccess && (
        <div className={classes.status}>
          <p>
            <IconCircleDashed size={17} stroke={1.7} aria-hidden />
            There is no screen for this yet
          </p>
          {told.map((capability) => (
            <p key={capability.area}>
              {capability.area}: {capabilityWords[capability.status].toLowerCase()}. {capability.reason}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}
