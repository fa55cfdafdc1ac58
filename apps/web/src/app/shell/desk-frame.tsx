import { Link, Outlet } from '@tanstack/react-router'
import { linkTo, places } from '../places.ts'

export function DeskFrame() {
  return (
    <div>
      <nav aria-label="Places">
        {places.map((place) => (
          <Link key={place.id} {...linkTo(place)}>
            {place.label}
          </Link>
        ))}
      </nav>
      <main>
        <Outlet />
      </main>
    </div>
  )
}
