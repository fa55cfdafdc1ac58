/** Public module of the CSV preview room. A preview is in memory for some minutes, and only for the person who uploaded the file. */
export { readPreviewRow } from './read-preview-row.ts'
