import type { Room } from '../room.ts'
import { availabilityRoutes } from './availability/availability.routes.ts'
import { dnsCheck } from './dns/check-job.ts'
import { startDeletingTexts } from './dns/delete-texts.ts'
import { dnsRoutes } from './dns/dns.routes.ts'
import { startEndingLost } from './dns/end-lost.ts'
import { nameRoutes } from './names/names.routes.ts'

export const domainRoom: Room = {
  name: 'domains',
  routes: [nameRoutes, dnsRoutes, availabilityRoutes],
  jobKinds: [dnsCheck],
  loops: [
    { name: 'pasted DNS texts', start: ({ store, log }) => startDeletingTexts(store, log) },
    { name: 'lost DNS checks', start: ({ store, log }) => startEndingLost(store, log) },
  ],
}
