import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { csvPreviewJob } from './csv-preview.jobs.ts'
import { csvPreviewRoutes } from './csv-preview.routes.ts'
import { heldLimits, readingOfPerson } from './held-previews.ts'
import { fileSize } from './receive-upload.ts'
import { uploadsOfPerson, uploadsOfTenant } from './temporary-files.ts'

export const csvPreviewRoom: Room = {
  name: 'csv-preview',
  routes: [csvPreviewRoutes],
  jobKinds: [csvPreviewJob],
  retention: [
    {
      key: 'csv_previews',
      data: 'Uploaded CSV files',
      term: termOf(heldLimits.minutes, 'minute'),
      begins: `From the last use, at most ${heldLimits.hoursAtMost} hours, in memory and for the person who uploaded the file.`,
      ends: 'The file is released. Only the rows that a person recorded remain, as prospects and source records.',
    },
  ],
  otherLimits: [
    fileSize,
    uploadsOfPerson,
    uploadsOfTenant,
    readingOfPerson,
    { name: 'waiting_csv_files' },
    { name: 'waiting_csv_rows' },
  ],
}
