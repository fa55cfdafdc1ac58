import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { screen } from '../../ui/rooms/screen.tsx'

/** Routes of a tab in the Sources section. */
export const csvPreviewRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/sources/csv-preview',
      component: screen(() => import('./csv-preview-screen.tsx'), 'CsvPreviewScreen', {
        permission: 'sources.preview',
        what: 'CSV previews',
      }),
    }),
  ] as const
