/**
 * The public module of the room of drafts (specification, Phase 14): texts that people prepare, check, approve and copy by hand. The room has no
 * way to send one.
 */
export { eraseDrafts } from './writing/erase-drafts.ts'
