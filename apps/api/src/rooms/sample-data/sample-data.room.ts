import type { Room } from '../room.ts'
import { sampleData } from './sample-data.jobs.ts'

export const sampleDataRoom: Room = { name: 'sample-data', jobKinds: [sampleData] }
