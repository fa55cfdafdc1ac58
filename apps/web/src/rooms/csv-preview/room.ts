import { IconDatabaseImport } from '@tabler/icons-react'
import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import type { Action } from '../../ui/actions/actions.ts'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'

const openCsvFile: Action = {
  id: 'csv',
  label: 'Open a CSV file',
  group: 'Create',
  Icon: IconDatabaseImport,
  keywords: 'import upload list',
  permission: 'sources.preview',
  to: '/sources/csv-preview',
}

export const csvPreviewRoom: Room = { actions: [openCsvFile] }

/** Routes of a tab in the Sources section. `RowsDesk` joins a row with the form of a new prospect. */
export const csvPreviewRoutes = <Parent extends AnyRoute>(parent: Parent, RowsDesk: RouteComponent) =>
  [
    page(parent, '/sources/csv-preview', () => import('./csv-preview-screen.tsx'), 'CsvPreviewScreen', {
      permission: 'sources.preview',
      what: 'CSV previews',
    }),
    createRoute({ getParentRoute: () => parent, path: '/sources/csv-preview/rows', component: RowsDesk }),
  ] as const
