import type { Room } from '../room.ts'
import { csvPreviewJob } from './csv-preview.jobs.ts'
import { csvPreviewRoutes } from './csv-preview.routes.ts'

export const csvPreviewRoom: Room = { name: 'csv-preview', routes: [csvPreviewRoutes], jobKinds: [csvPreviewJob] }
