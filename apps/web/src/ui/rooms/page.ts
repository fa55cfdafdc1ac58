import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Guard, screen } from './screen.tsx'

type Parse<Search> = (search: Record<string, unknown>) => Search

type Options<Search> = {
  /** Returns the valid search parameters. `useSearch({ from })` returns no others. */
  parse?: Parse<Search>
} & (Guard | { permission?: never })

/**
 * A route without children: an address, and the screen that is loaded there (see `screen`). The literal types of address and search are inferred, so
 * the compiler checks each link.
 */
export function page<
  Parent extends AnyRoute,
  const Path extends string,
  Name extends string,
  Search extends object = Record<never, never>,
>(
  parent: Parent,
  path: Path,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
  { parse, ...guard }: Options<Search> = {},
) {
  const component = screen(load, name, guard.permission === undefined ? null : guard)
  const validation = parse && { validateSearch: onlyParsed(parse) }
  return createRoute({ getParentRoute: () => parent, path, component, ...validation })
}

/** The router merges the returned search over the raw one, so each dropped parameter must be returned as undefined. */
const onlyParsed =
  <Search extends object>(parse: Parse<Search>): Parse<Search> =>
  (search) => ({ ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])), ...parse(search) })
