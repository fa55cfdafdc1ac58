import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../ui/states.tsx'
import { places } from '../places.ts'

export function NotBuiltScreen() {
  const { placeId } = useParams({ from: '/desk/$placeId' })
  const place = places.find((candidate) => candidate.id === placeId)
  if (place === undefined) return <NotFound />
  return (
    <section>
      <h1>{place.label}</h1>
      <p>{place.purpose}</p>
    </section>
  )
}
