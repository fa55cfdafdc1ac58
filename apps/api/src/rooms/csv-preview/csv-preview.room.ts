import type { Room } from '../room.ts'
import { csvPreviewJob } from './csv-preview.jobs.ts'
import { csvPreviewRoutes } from './csv-preview.routes.ts'
import { readingOfPerson } from './held-previews.ts'
import { fileSize } from './receive-upload.ts'
import { uploadsOfPerson, uploadsOfTenant } from './temporary-files.ts'

export const csvPreviewRoom: Room = {
  name: 'csv-preview',
  routes: [csvPreviewRoutes],
  jobKinds: [csvPreviewJob],
  otherLimits: [
    fileSize,
    uploadsOfPerson,
    uploadsOfTenant,
    readingOfPerson,
    { name: 'waiting_csv_files' },
    { name: 'waiting_csv_rows' },
  ],
}
