/** Front door of the CSV preview room. Previews are in memory for some minutes, and only for the person who uploaded the file. */
export { readPreviewRow } from './read-preview-row.ts'
