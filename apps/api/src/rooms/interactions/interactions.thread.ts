/** Public module of the interactions room for worker threads. */
export { outcomes } from './interactions.table.ts'
