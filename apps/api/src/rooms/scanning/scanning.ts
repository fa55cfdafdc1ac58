/**
 * The room of websites: the front door. A scan records what pages of a prospect's website said when they were observed: facts, never the pages
 * (docs/scanning.md). The contacts room reads the content that is held in memory for minutes, in a thread, through `scanning.thread.ts`.
 */
export { heldContentOf } from './pages/held-content.ts'
export { approvedSitesOf } from './sites/official-sites.ts'
