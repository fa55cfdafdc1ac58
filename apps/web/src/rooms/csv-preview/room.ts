import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'

/** Routes of a tab in the Sources section. */
export const csvPreviewRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/sources/csv-preview', () => import('./csv-preview-screen.tsx'), 'CsvPreviewScreen', {
      permission: 'sources.preview',
      what: 'CSV previews',
    }),
  ] as const
